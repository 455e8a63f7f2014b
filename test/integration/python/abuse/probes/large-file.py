# A file larger than allowed, made at once.
import os, sys

try:
    with open("/tmp/../tmp/sparse", "wb") as file:
        os.ftruncate(file.fileno(), 8 << 30)
    # Pyodide's files are memory, and limited as such.
    print("held" if sys.platform == "emscripten" else "LEAK")
except (OSError, OverflowError):
    print("held")
