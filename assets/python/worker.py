"""A Python process that waits inside a sandbox, runs code on request and reports. Python 3.8 or newer, standard library only.

Frames on descriptor 3: four bytes of length (big-endian), then the content. To the worker: JSON, {"code", "mark", "limits",
"cpuSeconds", "last", "softSeconds", "dumpSeconds"}. From it: "J" and JSON, {"type": "ready"} or {"type": "done"}; or "P", a media
type, a zero byte and the bytes of a picture. Everything the code writes goes to descriptor 1, children and C code included; when a
run is over the mark follows it there.

Adds the second layer of the sandbox, Landlock: no writing outside the given folders even where a mount would allow it, no
signals and no tracing of processes outside. What it does NOT protect against: anything where the kernel has no Landlock
(the first layer, made by the starter, must hold alone), and reading.
"""

import atexit
import ctypes
import faulthandler
import gc
import json
import os
import resource
import shutil
import signal
import struct
import sys
import threading

CONTROL = 3
# As the other side reads it (frames.ts).
MAX_MESSAGE = 4 * 1024 * 1024


def close_inherited():
    """Whatever the starter's starter left open must not reach the code."""
    try:
        numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        numbers = range(CONTROL + 1, 65536)
    for number in numbers:
        if number > CONTROL:
            try:
                os.close(number)
            except OSError:
                pass


def read_exactly(count):
    data = b""
    while len(data) < count:
        chunk = os.read(CONTROL, count - len(data))
        if not chunk:
            os._exit(0)
        data += chunk
    return data


def receive():
    (length,) = struct.unpack(">I", read_exactly(4))
    return json.loads(read_exactly(length).decode("utf-8"))


def write_all(descriptor, data):
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def send_frame(*parts):
    write_all(CONTROL, b"".join((struct.pack(">I", sum(map(len, parts))), *parts)))


def send(message):
    send_frame(b"J", encode(message))


def encode(message):
    # A lone surrogate comes out as its escape, which is what JSON has for it.
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace")


def send_report(report):
    """Never nothing: whoever asked would wait for it until the time is up."""
    body = encode(report)
    if len(body) > MAX_MESSAGE:
        kept = {name: report[name] for name in ("type", "ok", "error", "exitCode", "timeLimit") if name in report}
        body = encode({**kept, "traceback": "[the result was too large to be sent]"})
    send_frame(b"J", body)


# Landlock (linux/landlock.h): the three calls have the same numbers on every machine.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PR_SET_NO_NEW_PRIVS = 38
# WRITE_FILE, REMOVE_DIR, REMOVE_FILE and all MAKE_*; then, by version of the interface, REFER and TRUNCATE.
WRITING = (1 << 1) | (1 << 4) | (1 << 5) | sum(1 << bit for bit in range(6, 13))
REFER, TRUNCATE = 1 << 13, 1 << 14
# Of these, what can be granted on a single file.
ON_FILES = (1 << 1) | TRUNCATE
SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def restrict(writable):
    """Puts this process and all it starts into a Landlock domain. Returns the interface's version, 0 where there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    rights = WRITING | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    attributes = struct.pack("=Q", rights)
    if version >= 4:
        attributes += struct.pack("=Q", 0)
    if version >= 6:
        attributes += struct.pack("=Q", SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    ruleset = libc.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        return 0
    for path in writable:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        allowed = rights if os.path.isdir(path) else rights & ON_FILES
        libc.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", allowed, descriptor), 0)
        os.close(descriptor)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    failed = libc.syscall(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return 0 if failed else version


PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
AF_UNIX, EAFNOSUPPORT = 1, 97


def refuse_unix_sockets():
    """The way out of the sandbox is a Unix socket: what goes through it needs them, and nothing after it."""
    number = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
    instructions = (
        (0x20, 0, 0, 0),  # The system call's number,
        (0x15, 0, 3, number),
        (0x20, 0, 0, 16),  # and the lower half of its first argument.
        (0x15, 0, 1, AF_UNIX),
        (0x06, 0, 0, 0x00050000 | EAFNOSUPPORT),
        (0x06, 0, 0, 0x7FFF0000),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in instructions))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(instructions), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "Unix sockets could not be refused")


def limit(limits):
    """Limits of each process; soft and hard alike, so that nothing can raise them again."""
    names = {
        "addressSpaceBytes": resource.RLIMIT_AS,
        "fileBytes": resource.RLIMIT_FSIZE,
        "openFiles": resource.RLIMIT_NOFILE,
        "processes": resource.RLIMIT_NPROC,
    }
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, kind in names.items():
        value = limits.get(name)
        if value is not None:
            _, most = resource.getrlimit(kind)
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (value, value))
    # A file that grows too large is an OSError with a sentence, not a silent death.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def limit_time(seconds, last):
    """Processor time of each process from now on: the kernel's own end, should nobody outside be watching any more."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime) + seconds + 1
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    end = end if most == resource.RLIM_INFINITY else min(end, most)
    resource.setrlimit(resource.RLIMIT_CPU, (end, end if last else most))


def start_without_sockets():
    """Unix sockets are refused in here; Python 3.14's way of starting processes needs them, the older one does not."""
    if sys.version_info >= (3, 14):
        import multiprocessing.context as context

        context._default_context._default_context = context._concrete_contexts["fork"]


def keep_channel_from_children():
    """A forked child must not hold the channel. Its own children must not close what has its number by then."""
    is_open = True

    def close_once():
        nonlocal is_open
        if is_open:
            is_open = False
            os.close(CONTROL)

    os.register_at_fork(after_in_child=close_once)


def end_as_a_program():
    """Waits for threads that are no daemons, then does what was left for the end, as Python does when a program is over."""
    if threading.active_count() > 1:
        threading._shutdown()
    try:
        atexit._run_exitfuncs()
    except Exception:
        # It has been printed, and changes nothing about how the code ended.
        pass


def serve(request, namespace, output):
    running = True

    def send_picture(kind, data):
        send_frame(b"P", kind.encode("ascii"), b"\0", data)

    def on_time_limit(_number, _frame):
        if running:
            raise causeway_runner.TimeLimit("the time limit is reached")

    # First an exception that names the line; where it is not heard (C code, a handler that swallows it) a dump does.
    signal.signal(signal.SIGALRM, on_time_limit)
    faulthandler.dump_traceback_later(request["dumpSeconds"], file=output, exit=False)
    signal.setitimer(signal.ITIMER_REAL, request["softSeconds"])
    report = {}
    try:
        report = causeway_runner.run(request["code"], namespace, send_picture)
        if request["last"]:
            end_as_a_program()
        running = False
    except causeway_runner.TimeLimit:
        running = False
        # It struck after the code, while its results were gathered or its threads waited for.
        report = {**report, "ok": False, "timeLimit": True}
    signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    write_all(output, request["mark"].encode("ascii"))
    send_report({**report, "type": "done"})


def main():
    options = json.loads(sys.argv[1])
    close_inherited()
    os.dup2(1, 2)
    os.set_inheritable(CONTROL, False)
    # The code may close or redirect descriptor 1; the mark must arrive all the same.
    output = os.dup(1)
    for source, target in options["copies"].items():
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
    if options["packages"]:
        sys.path.insert(0, options["packages"])
    for name in options["preload"]:
        try:
            __import__(name)
        except Exception:
            pass
    start_without_sockets()
    namespace = causeway_runner.new_namespace()
    version = restrict(options["writable"])
    if options["refuseUnixSockets"]:
        refuse_unix_sockets()
    keep_channel_from_children()
    sys.argv = [causeway_runner.FILE_NAME]
    sys.dont_write_bytecode = True
    gc.collect()
    gc.freeze()
    send({"type": "ready", "landlock": version, "python": ".".join(map(str, sys.version_info[:3]))})
    limited = False
    while True:
        request = receive()
        if not limited:
            limit(request["limits"])
            sys.path.insert(0, os.getcwd())
            limited = True
        limit_time(request["cpuSeconds"], request["last"])
        try:
            serve(request, namespace, output)
        except OSError:
            # The code has closed what is needed to report; a traceback of this file would tell nobody anything.
            os._exit(1)


sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import causeway_runner  # noqa: E402 (its folder is not on the path before)

main()
