# A set-user-id file left in the workspace, by every way to set a mode. (The test looks at the modes, too.)
import ctypes, os, sys

open("plain", "w").close()
ways = (
    lambda: os.chmod("plain", 0o4755),
    lambda: os.fchmod(os.open("plain", os.O_RDWR), 0o2755),
    lambda: os.open("made", os.O_CREAT | os.O_WRONLY, 0o4755),
    lambda: os.mknod("node", 0o104755),
)
# Pyodide's files are its own memory, whatever their modes.
if sys.platform != "emscripten":
    libc = ctypes.CDLL(None, use_errno=True)
    for way in ways:
        try:
            way()
            print("LEAK")
        except OSError:
            pass
    if libc.syscall(452, -100, b"plain", 0o4755, 0) == 0:
        print("LEAK fchmodat2")
print("held")
