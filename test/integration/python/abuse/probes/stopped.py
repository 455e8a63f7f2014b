# ends on cpython: timeout
# A process that stops itself, and hears nothing any more.
import os, signal

os.kill(os.getpid(), signal.SIGSTOP)
print("held")
