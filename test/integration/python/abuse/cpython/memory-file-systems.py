# Memory by way of files: /dev/shm and /tmp end at their size.
import os

def fill(path):
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while written < 600 << 20:
                written += file.write(bytes(1 << 20))
    except OSError:
        pass
    os.remove(path)
    return written >> 20

amounts = [fill("/dev/shm/x"), fill("/tmp/x"), fill(os.path.expanduser("~/x"))]
print(amounts, "held" if max(amounts) < 300 else "LEAK")
