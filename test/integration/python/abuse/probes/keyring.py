# ends on wasm: error
# The kernel's keyring.
import ctypes, platform

libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = {"x86_64": (248, 250), "aarch64": (217, 219)}[platform.machine()]
if libc.syscall(add_key, b"user", b"x", b"y", 1, -3) >= 0 or libc.syscall(keyctl, 0, -4, 0) >= 0:
    print("LEAK")
print("held")
