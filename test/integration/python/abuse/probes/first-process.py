# The sandbox's first process, which belongs to bubblewrap: whoever takes it over outlives the end of the call.
import os

for name in ("mem", "clear_refs", "oom_score_adj", "attr/current", "timers", "comm"):
    for number in ("1", str(os.getppid())):
        path = "/proc/%s/%s" % (number, name)
        if not os.path.exists(path):
            continue
        try:
            os.close(os.open(path, os.O_WRONLY))
            print("LEAK", path)
        except OSError:
            pass
print("held")
