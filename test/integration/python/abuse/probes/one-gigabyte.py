# ends: output
# 1 GB of output.
import os

block = b"x" * (1 << 20)
for _ in range(1024):
    os.write(1, block)
