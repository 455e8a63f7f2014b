# ends on wasm: memory
# Memory by way of files: /dev/shm and /tmp end at their size. (Pyodide's files all count as its memory.)
import os

def fill(path):
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while written < 600 << 20:
                written += file.write(bytes(1 << 20))
    except OSError:
        pass
    return written >> 20

amounts = [fill(path) for path in ("/dev/shm/x", "/tmp/x", os.path.expanduser("~/x"))]
print(amounts, "held" if max(amounts) < 300 else "LEAK")
