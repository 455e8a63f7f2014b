# Other kinds of sockets: VSOCK reaches the host of a virtual machine, NETLINK the kernel.
import socket

for number in (16, 17, 38, 40, 44):
    try:
        socket.socket(number, socket.SOCK_DGRAM)
        print("LEAK", number)
    except OSError:
        pass
print("held")
