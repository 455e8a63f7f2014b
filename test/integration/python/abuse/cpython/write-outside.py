# Files everywhere but in the workspace. (The test also looks outside: its parent folder is in a private /tmp.)
import os

for folder in ("/", "/usr", "/usr/bin", "/usr/lib", "/etc", "/run", "/run/causeway", "/proc", "/dev"):
    try:
        open(os.path.join(folder, "planted"), "w").close()
        print("LEAK", folder)
    except OSError:
        pass
try:
    open(os.path.join(os.path.dirname(os.getcwd()), "planted"), "w").close()
except OSError:
    pass
print("held")
