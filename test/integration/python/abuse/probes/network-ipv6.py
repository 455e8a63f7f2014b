# The same by IPv6.
import socket

for address in (("::1", HOST["port6"]), ("2606:4700:4700::1111", 53)):
    try:
        socket.create_connection(address, 1)
        print("LEAK", address)
    except OSError:
        pass
print("held")
