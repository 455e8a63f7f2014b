# Files of the machine that are somewhere else inside, or not at all.
import os

for path in ("/etc/passwd", "/etc/group", "/etc/hostname", "/etc/machine-id", os.path.join(HOST["data"], "secrets.json")):
    try:
        text = open(path).read()
        if "root:" in text or HOST["secret"] in text or path == "/etc/machine-id":
            print("LEAK", path)
    except OSError:
        pass
print("held")
