# What /proc tells of the machine, not of processes: keys, addresses of the kernel, devices, memory, other users' work.
import os

SHOWN = (
    "cgroups cpuinfo filesystems loadavg meminfo mounts net pressure self stat sys sysvipc thread-self tty uptime"
    " version vmstat"
).split()
KNOWN = (
    "acpi asound buddyinfo cmdline config.gz interrupts iomem kallsyms kcore key-users keys kmsg kpagecount kpageflags"
    " latency_stats modules pagetypeinfo sched_debug scsi slabinfo sysrq-trigger timer_list vmallocinfo zoneinfo"
).split()


def told(path):
    if os.path.isdir(path):
        return os.listdir(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(descriptor, 100)
    finally:
        os.close(descriptor)


there = [name for name in os.listdir("/proc") if not name.isdigit()] if os.path.isdir("/proc/sys") else []
for name in {*there, *KNOWN} - set(SHOWN):
    try:
        if told("/proc/" + name):
            print("LEAK", name)
    except OSError:
        pass
MACHINE = ("/sys", "/sys/firmware", "/sys/kernel/debug", "/sys/fs/cgroup", "/dev/mem", "/dev/kmsg")
for path in (*MACHINE, "/proc/sys/kernel/core_pattern"):
    try:
        if path.startswith("/proc"):
            os.close(os.open(path, os.O_WRONLY))
            print("LEAK", path)
        elif told(path):
            print("LEAK", path)
    except OSError:
        pass
# Programs still find what they need.
if there:
    for name in ("cpuinfo", "meminfo", "stat", "uptime", "self/status", "mounts"):
        assert open("/proc/" + name).read(), name
print("held")
