# A set-user-id file left in the workspace, by every way to set a mode.
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
open("plain", "w").close()
ways = (
    lambda: os.chmod("plain", 0o4755),
    lambda: os.fchmod(os.open("plain", os.O_RDWR), 0o2755),
    lambda: os.open("made", os.O_CREAT | os.O_WRONLY, 0o4755),
    lambda: os.mknod("node", 0o104755),
)
for way in ways:
    try:
        way()
        print("LEAK")
    except OSError:
        pass
if libc.syscall(452, -100, b"plain", 0o4755, 0) == 0:
    print("LEAK fchmodat2")
for name in os.listdir("."):
    if os.stat(name).st_mode & 0o6000:
        print("LEAK", name)
os.chmod("plain", 0o600)
os.remove("plain")
print("held")
