# Files of the machine next to the workspace and above it. (The test looks outside: what is written may be private memory.)
import os

for folder in (os.path.dirname(HOST["workspace"]), os.path.dirname(os.path.dirname(HOST["workspace"])), HOST["home"], "/tmp"):
    try:
        os.makedirs(folder, exist_ok=True)
        open(os.path.join(folder, "planted"), "w").close()
    except OSError:
        pass
print("held")
