# The kernel's settings: a core pattern is code that runs outside.
import glob, os

for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"] + glob.glob("/proc/sys/vm/*")[:5]:
    if not os.path.exists(path):
        continue
    try:
        open(path, "w").write("")
        print("LEAK", path)
    except OSError:
        pass
print("held")
