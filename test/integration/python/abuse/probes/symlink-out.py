# Links out of the workspace, and the kernel's links to other roots.
import os

os.symlink("/etc/shadow", "link-out")
for path in ("link-out", "/proc/1/root/etc/shadow", "/proc/self/root/etc/shadow", "/proc/1/cwd/../../etc/shadow"):
    try:
        print("LEAK", path, open(path).read()[:10])
    except OSError:
        pass
os.remove("link-out")
print("held")
