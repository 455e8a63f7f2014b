# Programs of the machine.
import os, posix, subprocess

for way in (lambda: os.system("id"), lambda: posix.system("id"), lambda: subprocess.run(["id"]), lambda: os.popen("id").read()):
    try:
        print("LEAK", way())
    except Exception:
        pass
print("held")
