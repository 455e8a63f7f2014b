# What the kernel says of the program that started us.
import os

for name in ("environ", "cmdline", "maps", "mem", "fd", "cwd", "root", "task"):
    path = "/proc/%d/%s" % (HOST["pid"], name)
    try:
        os.stat(path)
        print("LEAK", path)
    except OSError:
        pass
print("held")
