# A server on this machine and one far away.
import socket

for address in (("127.0.0.1", HOST["port"]), ("1.1.1.1", 53)):
    try:
        socket.create_connection(address, 1)
        print("LEAK", address)
    except OSError:
        pass
print("held")
