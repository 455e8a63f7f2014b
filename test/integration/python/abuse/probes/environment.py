# Secrets in the environment, of this process and of every other one.
import glob

text = ""
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        text += open(path).read()
    except OSError:
        pass
print("LEAK" if HOST["secret"] in text else "held")
