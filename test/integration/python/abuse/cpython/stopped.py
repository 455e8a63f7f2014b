# ends: timeout
import os, signal

os.kill(os.getpid(), signal.SIGSTOP)
