# Files of the machine by the interpreter's own file functions.
import os

for path in ("/etc/shadow", "/etc/passwd", HOST["home"], HOST["data"]):
    if os.path.exists(path):
        print("LEAK", path)
print("held")
