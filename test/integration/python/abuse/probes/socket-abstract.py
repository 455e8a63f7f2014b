# ends on wasm: error
# A Unix socket without a file.
import socket

try:
    socket.socket(socket.AF_UNIX).connect("\0" + HOST["abstract"])
    print("LEAK")
except OSError:
    print("held")
