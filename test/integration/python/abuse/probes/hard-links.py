# ends on wasm: error
# Another name for what lies outside, in the workspace, where it would stay.
import os

for path in ("/usr/bin/python3", "/etc/passwd", "/run/causeway/worker.py", "/proc/self/exe", "/dev/null", HOST["home"]):
    for follow in (True, False):
        try:
            os.link(path, "linked", follow_symlinks=follow)
            print("LEAK", path)
        except OSError:
            pass
try:
    os.link(".git/config", "linked")
    open("linked", "a").write("[core]\n")
    print("LEAK .git/config")
except OSError:
    pass
import resource

# The first process's limits are nobody's key: neither here nor in a child can one's own be raised.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
try:
    resource.prlimit(0, resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    print("LEAK limits")
except (OSError, ValueError):
    pass
print("held")
