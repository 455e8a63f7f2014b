# The person's home folder, and other places where secrets lie.
import os

for path in (HOST["home"], "/root", "/home", "/var", "/mnt", "/media", "/run/user", "/run/dbus", "/etc/ssh", "/boot"):
    if os.path.exists(path):
        print("LEAK", path, os.listdir(path)[:3])
print("held")
