# Hard links, and names that the kernel follows for us.
import os

for target in ("/etc/shadow", os.path.join(HOST["data"], "secrets.json"), "/proc/1/root", "/proc/self/root/../../etc/shadow"):
    try:
        os.link(target, "linked", follow_symlinks=True)
        print("LEAK", target)
    except (OSError, NotImplementedError, AttributeError):
        pass
for number in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd") else ():
    for way in ("..", "../../etc/shadow"):
        try:
            text = open("/proc/self/fd/%s/%s" % (number, way)).read()
            print("LEAK", number, text[:10])
        except OSError:
            pass
print("held")
