# A file larger than allowed.
import os

with open("/tmp/../tmp/sparse", "wb") as file:
    try:
        os.ftruncate(file.fileno(), 8 << 30)
        print("LEAK")
    except OSError:
        print("held")
