# Programs of the machine: where they can be started at all, they see no more than the code that starts them.
import os, posix, subprocess

command = "grep -q root: /etc/shadow && echo LE''AK"
for way in (
    lambda: os.system(command),
    lambda: posix.system(command),
    lambda: print(subprocess.run(command, shell=True, capture_output=True, text=True).stdout),
    lambda: print(os.popen(command).read()),
):
    try:
        way()
    except Exception:
        pass
print("held")
