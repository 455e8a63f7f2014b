# ends on wasm: error
# ends: memory
import os, time

for _ in range(12):
    if os.fork() == 0:
        block = bytearray(300 << 20)
        for index in range(0, len(block), 4096):
            block[index] = 1
        time.sleep(60)
time.sleep(60)
