# Sockets, which Emscripten makes of WebSockets.
import socket

try:
    connection = socket.create_connection(("127.0.0.1", HOST["port"]), 1)
    connection.send(b"GET / HTTP/1.0\r\n\r\n")
    print("LEAK" if connection.recv(10) else "held")
except BaseException:
    print("held")
