# ends on wasm: timeout
# ends: processes
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
