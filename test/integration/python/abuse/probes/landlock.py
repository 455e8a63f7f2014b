# The second layer: the mounts let a device be opened for writing that the Landlock domain does not name.
import ctypes, sys

def has_landlock():
    if sys.platform != "linux":
        return False
    return ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) > 0

try:
    open("/dev/random", "wb")
    print("LEAK" if has_landlock() else "held by the first layer alone")
except PermissionError:
    print("held")
