# Descriptors that somebody left open.
import os

names = sorted(os.listdir("/proc/self/fd"), key=int)
# 3 is the worker's channel, 4 its copy of the output, the last one this listing.
print("held" if len(names) <= 6 else "LEAK", names)
