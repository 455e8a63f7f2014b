# ends on wasm: error
# Memory that no limit counts.
import ctypes, platform

libc = ctypes.CDLL(None, use_errno=True)
memfd, shmget = {"x86_64": (319, 29), "aarch64": (279, 194)}[platform.machine()]
if libc.syscall(memfd, b"x", 0) >= 0 or libc.syscall(shmget, 0, 1 << 30, 0o1600) >= 0:
    print("LEAK")
print("held")
