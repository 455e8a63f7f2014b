# ends on wasm: error
# io_uring, BPF, perf and userfaultfd: large parts of the kernel, and ways round the filter.
import ctypes, platform

libc = ctypes.CDLL(None, use_errno=True)
own = {"x86_64": (321, 298, 323), "aarch64": (280, 241, 282)}[platform.machine()]
for number in own + (425,):
    buffer = ctypes.create_string_buffer(256)
    if libc.syscall(number, 1, buffer, 0, 0, 0) >= 0:
        print("LEAK", number)
print("held")
