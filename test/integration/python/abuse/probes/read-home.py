# The person's home folder, and other places where secrets lie.
import os

for path in (HOST["home"], "/root", "/home", "/var", "/mnt", "/media", "/run/user", "/run/dbus", "/etc/ssh", "/boot"):
    # Pyodide has made-up people of its own.
    found = set(os.listdir(path)) - {"web_user", "agent"} if os.path.exists(path) else set()
    if found:
        print("LEAK", path, found)
print("held")
