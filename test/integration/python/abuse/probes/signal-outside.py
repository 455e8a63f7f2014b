# Signals to the program that started us, and to the first process.
import os, signal

try:
    os.kill(HOST["pid"], signal.SIGTERM)
    print("LEAK")
except OSError:
    pass
try:
    os.kill(1, signal.SIGTERM)
    os.kill(1, signal.SIGKILL)
except OSError:
    pass
print("held")
