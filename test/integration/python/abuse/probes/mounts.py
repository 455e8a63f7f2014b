# ends on wasm: error
# Mounting, and changing the root.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0 or libc.mount(None, b"/usr", None, 32 | 4096, None) == 0:
    print("LEAK mount")
if libc.umount2(b"/proc", 2) == 0 or libc.chroot(b"/tmp") == 0:
    print("LEAK")
print("held")
