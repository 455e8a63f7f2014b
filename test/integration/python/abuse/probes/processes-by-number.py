# Processes outside by their numbers: signals that do nothing, groups, handles.
import os

for number in (HOST["pid"], HOST["parent"]):
    for way in (lambda: os.kill(number, 0), lambda: os.killpg(number, 0), lambda: os.pidfd_open(number), lambda: os.getpgid(number)):
        try:
            way()
            print("LEAK", number)
        except (OSError, AttributeError):
            pass
print("held")
