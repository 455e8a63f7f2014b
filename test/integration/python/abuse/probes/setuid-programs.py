# ends on wasm: error
# Programs that give their starter the rights of root.
import os, subprocess

os.setuid(os.getuid())
found = subprocess.run("find /usr/bin -perm -4000 | head -1", shell=True, capture_output=True, text=True).stdout.strip()
if found:
    flags = os.statvfs(found).f_flag
    print("held" if flags & os.ST_NOSUID else "LEAK " + found)
else:
    print("held")
