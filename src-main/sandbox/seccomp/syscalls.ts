/** Machines that a filter can be made for. */
export type Machine = 'x64' | 'arm64';

/** What a filter needs to know of a machine's system calls. */
export interface SyscallTable {
  /** AUDIT_ARCH_* (linux/audit.h). */
  readonly architecture: number;
  /** Refused whatever the arguments. */
  readonly refused: Readonly<Record<string, number>>;
  /** Calls that set permission bits: number, index of the mode, and of the flags that say whether the mode counts. */
  readonly modes: readonly { readonly number: number; readonly mode: number; readonly flags?: number }[];
  readonly socket: number;
  readonly clone: number;
  readonly ioctl: number;
  readonly mknod: readonly { readonly number: number; readonly mode: number }[];
}

/** Calls whose numbers are the same on every machine (those added since Linux 5.1, asm-generic/unistd.h). */
export const CLONE3 = 435;
export const OPENAT2 = 437;
const FCHMODAT2 = 452;
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
  open_tree_attr: 467,
};

/** Numbers from asm/unistd_64.h (x64) and asm-generic/unistd.h (arm64). */
export const SYSCALLS: Readonly<Record<Machine, SyscallTable>> = {
  x64: {
    architecture: 0xc000003e,
    refused: {
      ...COMMON,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      chroot: 161,
      setns: 308,
      unshare: 272,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      bpf: 321,
      perf_event_open: 298,
      userfaultfd: 323,
      kexec_load: 246,
      kexec_file_load: 320,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      reboot: 169,
      swapon: 167,
      swapoff: 168,
      acct: 163,
      quotactl: 179,
      syslog: 103,
      open_by_handle_at: 304,
      name_to_handle_at: 303,
      settimeofday: 164,
      clock_settime: 227,
      clock_adjtime: 305,
      adjtimex: 159,
      sethostname: 170,
      setdomainname: 171,
      vhangup: 153,
      personality: 135,
      lookup_dcookie: 212,
      fanotify_init: 300,
      memfd_create: 319,
      shmget: 29,
      msgget: 68,
      semget: 64,
      iopl: 172,
      ioperm: 173,
      modify_ldt: 154,
      uselib: 134,
      sysctl: 156,
    },
    modes: [
      { number: 90, mode: 1 }, // chmod
      { number: 91, mode: 1 }, // fchmod
      { number: 268, mode: 2 }, // fchmodat
      { number: FCHMODAT2, mode: 2 },
      { number: 85, mode: 1 }, // creat
      { number: 2, mode: 2, flags: 1 }, // open
      { number: 257, mode: 3, flags: 2 }, // openat
    ],
    mknod: [
      { number: 133, mode: 1 }, // mknod
      { number: 259, mode: 2 }, // mknodat
    ],
    socket: 41,
    clone: 56,
    ioctl: 16,
  },
  arm64: {
    architecture: 0xc00000b7,
    refused: {
      ...COMMON,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      chroot: 51,
      setns: 268,
      unshare: 97,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      bpf: 280,
      perf_event_open: 241,
      userfaultfd: 282,
      kexec_load: 104,
      kexec_file_load: 294,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      reboot: 142,
      swapon: 224,
      swapoff: 225,
      acct: 89,
      quotactl: 60,
      syslog: 116,
      open_by_handle_at: 265,
      name_to_handle_at: 264,
      settimeofday: 170,
      clock_settime: 112,
      clock_adjtime: 266,
      adjtimex: 171,
      sethostname: 161,
      setdomainname: 162,
      vhangup: 58,
      personality: 92,
      lookup_dcookie: 18,
      fanotify_init: 262,
      memfd_create: 279,
      shmget: 194,
      msgget: 186,
      semget: 190,
    },
    modes: [
      { number: 52, mode: 1 }, // fchmod
      { number: 53, mode: 2 }, // fchmodat
      { number: FCHMODAT2, mode: 2 },
      { number: 56, mode: 3, flags: 2 }, // openat
    ],
    mknod: [{ number: 33, mode: 2 }], // mknodat
    socket: 198,
    clone: 220,
    ioctl: 29,
  },
};
