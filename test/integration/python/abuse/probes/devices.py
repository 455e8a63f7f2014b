# Devices: nothing but the harmless ones.
import os

harmless = {"null", "zero", "full", "random", "urandom", "tty", "tty1", "ptmx", "pts", "shm", "console", "core", "fd"}
harmless |= {"stdin", "stdout", "stderr"}
rest = set(os.listdir("/dev")) - harmless
print("LEAK" if rest else "held", rest)
