# ends on wasm: error
# Reading and writing the memory of another process.
import ctypes, os, subprocess

libc = ctypes.CDLL(None, use_errno=True)
child = subprocess.Popen(["sleep", "5"])
buffer = ctypes.create_string_buffer(16)
if libc.ptrace(16, child.pid, 0, 0) == 0:
    print("LEAK ptrace")
if libc.process_vm_readv(child.pid, buffer, 0, buffer, 0, 0) == 0:
    print("LEAK process_vm_readv")
for path in ("/proc/1/mem", "/proc/%d/mem" % os.getppid()):
    try:
        open(path, "r+b")
        print("LEAK", path)
    except OSError:
        pass
child.kill()
print("held")
