# ends on wasm: error
# The disk as a device.
import os, stat

try:
    os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    print("LEAK")
except OSError:
    print("held" if not os.path.exists("/dev/sda") and not os.path.exists("/dev/mem") else "LEAK")
