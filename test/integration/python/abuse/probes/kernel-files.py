# What /proc tells of the machine, not of processes: keys, addresses of the kernel, its memory, how it was started.
import os

PROC = (
    "acpi asound cmdline interrupts kallsyms kcore key-users keys kmsg kpagecgroup kpagecount kpageflags latency_stats"
    " modules pagetypeinfo sched_debug scsi slabinfo timer_list timer_stats vmallocinfo vmcore"
).split()
OTHERS = ("/sys", "/sys/firmware", "/sys/kernel/debug", "/sys/fs/cgroup", "/dev/mem", "/dev/kmsg", "/dev/port")


def told(path):
    if os.path.isdir(path):
        return os.listdir(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)


for path in [*("/proc/" + name for name in PROC), *OTHERS]:
    try:
        if told(path):
            print("LEAK", path)
    except OSError:
        pass
SWITCHES = ("/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches")
for path in SWITCHES:
    try:
        os.close(os.open(path, os.O_WRONLY))
        print("LEAK", path)
    except OSError:
        pass
# Programs still find what they need.
if os.path.isdir("/proc/sys"):
    for name in ("cpuinfo", "meminfo", "stat", "uptime", "self/status", "mounts", "diskstats", "partitions"):
        told("/proc/" + name)
print("held")
