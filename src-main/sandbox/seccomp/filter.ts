import {
  ARCHITECTURE,
  argument,
  assemble,
  load,
  SYSCALL_NUMBER,
  unlessEqual,
  verdict,
  whenAnyBit,
  whenAtLeast,
  whenEqual,
  type Instruction,
} from './bpf.ts';
import { CLONE3, OPENAT2, SYSCALLS, type Machine } from './syscalls.ts';

/*
 * A security boundary. Narrows the kernel that a sandboxed program can reach: no tracing of other processes, no mounts or new
 * namespaces, no kernel keyring, no BPF, io_uring or perf, no memory that no limit counts (memfd, System V), no set-user-id
 * files, no sockets but IP (on a private loopback) and, where a proxy is the way out, Unix, nothing typed into somebody's terminal.
 *
 * It does NOT protect against: faults in the system calls that stay allowed; what the mounts show (files are the mounts'
 * business); anything decided behind a pointer (paths, socket addresses), which a filter cannot read.
 */

/** SECCOMP_RET_* (linux/seccomp.h) and errno values. */
const ALLOW = verdict(0x7fff0000);
const KILL_PROCESS = verdict(0x80000000);
const failWith = (errno: number): Instruction => verdict(0x00050000 | errno);
const NOT_PERMITTED = failWith(1);
const NO_SUCH_CALL = failWith(38);
const FAMILY_NOT_SUPPORTED = failWith(97);

/** Calls of the x32 ABI carry this bit; they would pass a filter that looks at x64 numbers only. */
const X32_BIT = 0x40000000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET (linux/sched.h). */
const NEW_NAMESPACES = 0x7e020000;
/** S_ISUID | S_ISGID */
const SET_ID_BITS = 0o6000;
/** Set in S_IFCHR and S_IFBLK, not in a regular file, a FIFO or a socket. */
const DEVICE_BIT = 0o020000;
/** O_CREAT, and the bit of its own in O_TMPFILE: without them the mode argument is not read (and may be anything). */
const CREATING = 0o100 | 0o20000000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
/** Ways to type into the terminal one is started from. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** The machine as filters know it; undefined where there is no filter. */
export function filterMachine(architecture: string): Machine | undefined {
  return architecture === 'x64' || architecture === 'arm64' ? architecture : undefined;
}

/** The filter for a machine, in the form that `bwrap --seccomp` and prctl(2) take; with Unix sockets where they are wanted. */
export function buildFilter(machine: Machine, { unixSockets = false } = {}): Uint8Array {
  const table = SYSCALLS[machine];
  return assemble([
    load(ARCHITECTURE),
    ...unlessEqual(table.architecture, [KILL_PROCESS]),
    load(SYSCALL_NUMBER),
    ...(machine === 'x64' ? whenAtLeast(X32_BIT, [NO_SUCH_CALL]) : []),
    ...Object.values(table.refused).flatMap((number) => whenEqual(number, [NOT_PERMITTED])),
    // Their arguments are behind a pointer. C libraries fall back to clone and openat, which can be looked at.
    ...whenEqual(CLONE3, [NO_SUCH_CALL]),
    ...whenEqual(OPENAT2, [NO_SUCH_CALL]),
    ...whenEqual(table.clone, [load(argument(0)), ...whenAnyBit(NEW_NAMESPACES, [NOT_PERMITTED]), ALLOW]),
    ...table.modes.flatMap((call) => whenEqual(call.number, refuseSetId(call))),
    ...table.mknod.flatMap(({ number, mode }) =>
      whenEqual(number, [load(argument(mode)), ...whenAnyBit(SET_ID_BITS | DEVICE_BIT, [NOT_PERMITTED]), ALLOW]),
    ),
    ...whenEqual(table.socket, [
      load(argument(0)),
      ...whenEqual(AF_INET, [ALLOW]),
      ...whenEqual(AF_INET6, [ALLOW]),
      ...(unixSockets ? whenEqual(AF_UNIX, [ALLOW]) : []),
      FAMILY_NOT_SUPPORTED,
    ]),
    ...whenEqual(table.ioctl, [
      load(argument(1)),
      ...whenEqual(TIOCSTI, [NOT_PERMITTED]),
      ...whenEqual(TIOCLINUX, [NOT_PERMITTED]),
      ALLOW,
    ]),
    ALLOW,
  ]);
}

function refuseSetId({ mode, flags }: { mode: number; flags?: number }): Instruction[] {
  const look = [load(argument(mode)), ...whenAnyBit(SET_ID_BITS, [NOT_PERMITTED]), ALLOW];
  return flags === undefined ? look : [load(argument(flags)), ...whenAnyBit(CREATING, look), ALLOW];
}
