# The accounts' passwords.
try:
    print("LEAK", open("/etc/shadow").read()[:20])
except OSError:
    print("held")
