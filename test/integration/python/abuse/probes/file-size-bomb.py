# A file in the workspace that grows past the limit by writing.
import os, sys

with open("bomb", "wb", buffering=0) as file:
    file.seek((1 << 30) - 4096)
    try:
        for _ in range(3):
            file.write(bytes(4096))
        # Pyodide's files are memory, and limited as such.
        print("held" if sys.platform == "emscripten" else "LEAK")
    except OSError as error:
        print("held", error)
os.remove("bomb")
