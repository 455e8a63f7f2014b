# ends on wasm: error
# New namespaces, in which one would be root again.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000):
    if libc.unshare(flag) == 0:
        print("LEAK unshare", hex(flag))
# clone(2) with CLONE_NEWUSER, by its number on this machine.
number = {"x86_64": 56, "aarch64": 220}[__import__("platform").machine()]
if libc.syscall(number, 0x10000000 | 17, 0, 0, 0, 0) >= 0:
    print("LEAK clone")
print("held")
