# Files everywhere but in the workspace.
import os, sys

for folder in ("/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/run", "/run/causeway", "/proc", "/dev"):
    try:
        open(os.path.join(folder, "planted"), "w").close()
        # Pyodide's files are its own memory, wherever they are; the test looks outside.
        if sys.platform != "emscripten":
            print("LEAK", folder)
    except OSError:
        pass
print("held")
