# ends on wasm: error
# A Unix socket of another program, lying in the workspace.
import socket

try:
    socket.socket(socket.AF_UNIX).connect(HOST["socket"])
    print("LEAK")
except OSError:
    print("held")
