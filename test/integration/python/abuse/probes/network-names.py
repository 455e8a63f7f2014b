# Names of the internet.
import socket

try:
    found = socket.getaddrinfo("example.com", 80)
    # Pyodide makes addresses up.
    print("held" if all(entry[4][0].startswith("172.29.") for entry in found) else "LEAK", found)
except OSError:
    print("held")
