# Names of the internet.
import socket

try:
    print("LEAK", socket.getaddrinfo("example.com", 80))
except OSError:
    print("held")
