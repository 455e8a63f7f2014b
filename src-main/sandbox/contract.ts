/**
 * A sandbox as plain data: what a program may see, write and use. Whatever is not named is not there.
 * A backend turns it into a launch; nothing in here knows a backend.
 */
export interface SandboxPolicy {
  /**
   * The root the program sees. `minimal`: the system's programs and libraries and a few files of /etc, the rest by name.
   * `host`: everything that is on this machine, read-only; only for programs of our own that must look around.
   */
  readonly root: 'minimal' | 'host';
  /** The one folder shared with the host, at its own path; absolute, symlinks resolved. */
  readonly workspace?: { readonly path: string; readonly access: 'read-write' | 'read-only' };
  /**
   * Entries of the workspace that stay as they are even when it is writable, because programs outside obey them. Of an entry in a
   * folder (`.git/hooks`) the folder itself cannot be moved away either.
   */
  readonly protectedEntries: readonly string[];
  /** The same further down, by path below the workspace. Their folders stay movable: for whoever looks afterwards ({@link WorkspaceGuard}). */
  readonly nestedEntries?: readonly string[];
  /** More host files and folders to see, read-only and at their own paths; absolute. */
  readonly readable: readonly string[];
  /** Host files and folders that show as empty where something above would show them; absolute. */
  readonly hidden: readonly string[];
  /** Files that exist only inside, read-only: absolute path to content. */
  readonly files: Readonly<Record<string, string>>;
  /** Host files and folders of the program's own, visible even inside of what is hidden; absolute. */
  readonly shared?: readonly { readonly path: string; readonly access: 'read-write' | 'read-only' }[];
  /** Where the home folder is, a memory file system of the sandbox's own: absolute, by default /sandbox/home. Minimal root only. */
  readonly home?: string;
  /** The whole environment. On the minimal root HOME and TMPDIR are added: memory file systems of the sandbox's own. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * `none`: a network of its own with nothing but a loopback. `sockets`: the same, and Unix sockets, of which it finds those that the
   * mounts show: the way to a proxy. `host`: the machine's.
   */
  readonly network: 'none' | 'sockets' | 'host';
  /** Writable memory file systems, bytes; one of 0 is left out, so that nothing can be written there. */
  readonly sizes: { readonly temporary: number; readonly sharedMemory: number; readonly home: number };
  /** Held by the kernel where it can be ({@link KernelLimits}), and nowhere else: whoever starts the program must watch it, too. */
  readonly limits?: SandboxLimits;
}

/** Limits of all processes of a sandbox together. */
export interface SandboxLimits {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

/** Whether the kernel itself holds {@link SandboxLimits} here, and if not, why, in words that follow "because". */
export type KernelLimits =
  { readonly by: 'control groups'; readonly version: 1 | 2 } | { readonly by: 'none'; readonly reason: string };

/** What a sandbox can do here, or why there is none. */
export type SandboxProbe =
  | { readonly backend: 'bubblewrap'; readonly version: string; readonly limits: KernelLimits }
  | { readonly backend: 'none'; readonly reason: string; readonly fix: string };

/** What all processes of a sandbox use together. */
export interface SandboxUsage {
  /** Memory that is theirs alone or shared between them (anonymous and shared memory), bytes. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Processor time up to now; of processes that are gone as far as it is known. */
  readonly cpuMs: number;
  /** Only where the kernel holds the limit of memory: whether it has ended something for it. */
  readonly outOfMemory?: boolean;
}

/** A control group for processes that somebody else starts. */
export interface LimitedGroup {
  /** Moves a process in, before it starts others. @throws the system's error. */
  enter(pid: number): Promise<void>;
  /** What a process in it and everything below use now. */
  usage(pid: number): SandboxUsage | undefined;
  outOfMemory(): boolean;
  /** To be called when its processes are gone. Never rejects. */
  close(): Promise<void>;
}

/** How a sandbox ended. */
export interface SandboxEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The kernel ended something in it for want of memory. */
  readonly outOfMemory: boolean;
}

/** A running sandbox. Its program has the null device as standard input and a control channel on descriptor 3. */
export interface SandboxedProcess {
  /** Standard output of the program. */
  readonly stdout: NodeJS.ReadableStream;
  /** Standard error of the launch and of the program. */
  readonly stderr: NodeJS.ReadableStream;
  /** Both directions of descriptor 3. What comes out of it is untrusted. */
  readonly control: NodeJS.ReadWriteStream;
  /** Resolves when the program has ended and every process of the sandbox is gone. Never rejects. */
  readonly gone: Promise<SandboxEnd>;
  /** Ends everything in the sandbox, whatever it does about it; returns when nothing is left. */
  kill(): Promise<void>;
  /** Stops everything in it where it is. False when that could not be done: then only ending it helps. True when it is gone. */
  pause(): Promise<boolean>;
  /** Lets it go on. */
  resume(): void;
  /** Undefined when it cannot be measured (any more). */
  usage(): SandboxUsage | undefined;
}

/** What to start on a terminal so that a program runs in a sandbox there. */
export interface EnclosedProgram {
  readonly argv: readonly [string, ...string[]];
  readonly env: Record<string, string>;
}

/** A sandbox for programs on a terminal: they share its session, so that job control works. */
export interface TerminalSandbox {
  /**
   * Writes what the launch needs into `folder`, which belongs to this one program and is not shown to it. What is then started
   * becomes the sandbox's keeper; the program is its grandchild.
   */
  enclose(program: {
    argv: readonly [string, ...string[]];
    cwd: string;
    env: Readonly<Record<string, string>>;
    folder: string;
  }): EnclosedProgram;
}

/** Something planted; `to` is undefined when it could not be moved, so that it is still there. */
export interface MovedEntry {
  readonly from: string;
  readonly to: string | undefined;
}

/** Watches the entries of a workspace that programs outside obey. Taken down before a sandbox starts. */
export interface WorkspaceGuard {
  /** What was found further down and can be kept as it is, for the policy. */
  readonly nested: readonly string[];
  /** False when the workspace or one of the entries was made, removed or replaced since. */
  holds(): Promise<boolean>;
  /** After a sandbox has ended: moves what it planted to a name that nothing obeys. Never rejects. */
  moveAsidePlanted(): Promise<MovedEntry[]>;
}

export interface GuardOptions {
  /** Looks for the entries and for bare repositories in the folders below, too, within bounds. */
  readonly below?: boolean;
}

export interface WayOutOptions {
  /** The sandbox's own folder outside, and not shown to it but for what {@link WayOut.shared} names. */
  folder: string;
  /** `host`, `*.domain`, each with `:port` or for ports 80 and 443. */
  rules: readonly string[];
  /** The setting that the rules are from, as refusals name it. */
  setting: string;
}

/** How a program in a sandbox without a network reaches some hosts; for a policy whose network is `sockets`. */
export interface WayOut {
  readonly shared: NonNullable<SandboxPolicy['shared']>;
  readonly env: Record<string, string>;
  /** Stands in front of the program and its arguments. */
  readonly starter: readonly [string, ...string[]];
  /** Opens the end outside; before the sandbox starts. @throws CausewayError `unavailable` when that fails. */
  open(): Promise<NetworkProxy>;
}

/** The way out of a sandbox that has no network of its own. */
export interface NetworkProxy extends AsyncDisposable {
  /** Hosts that were asked for and refused since the last time, each once, as `host:port`. */
  takeRefused(): string[];
}

/** Makes sandboxes. To be disposed of when they have ended: waits until the kernel holds nothing of them any more. */
export interface Sandbox extends AsyncDisposable {
  /** Looks once whether a sandbox can really be made here; the answer is kept. */
  probe(): Promise<SandboxProbe>;
  /**
   * Starts a program inside. `cwd` and the program's path are paths inside.
   * @throws CausewayError `unavailable` where there is no sandbox, `refused` for a policy that cannot be kept.
   */
  launch(policy: SandboxPolicy, argv: readonly [string, ...string[]], cwd: string): Promise<SandboxedProcess>;
  /**
   * For programs that somebody else starts on a terminal; their environment comes with each.
   * @throws CausewayError `unavailable` where there is no sandbox, `refused` for a policy that cannot be kept.
   */
  forTerminal(policy: Omit<SandboxPolicy, 'env'>): Promise<TerminalSandbox>;
  /** What a process and everything below it use now; undefined where that cannot be measured. */
  measure(pid: number): SandboxUsage | undefined;
  /** A control group with these limits; undefined where the kernel lends none. @throws the system's error. */
  limit(limits: SandboxLimits): Promise<LimitedGroup | undefined>;
  /**
   * Plans an HTTP proxy (also for CONNECT) outside, which programs inside find on their own loopback: to the hosts of `rules` and no
   * others. @throws CausewayError `unavailable` where this program has not what it takes.
   */
  wayOut(wanted: WayOutOptions): WayOut;
  /** @see WorkspaceGuard. `entries` are those of the policy. */
  guard(workspace: string, entries: readonly string[], options?: GuardOptions): Promise<WorkspaceGuard>;
}
