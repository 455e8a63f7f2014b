import type { JsonObject, Settings } from '../../../src-shared/index.ts';

/** A piece of code to run. */
export interface Job {
  readonly code: string;
  /** Milliseconds from the moment the code starts; then everything it started is ended. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** No other job follows in this worker, so that it can give up rights for good. */
  readonly last: boolean;
  /** Output as it comes, standard output and standard error in the order they were written. */
  onOutput(bytes: Uint8Array): void;
}

/** What the person lets Python do. */
export interface Terms {
  readonly workspace: Settings['python']['workspace'];
  /** Hosts that may be reached. */
  readonly hosts: readonly string[];
}

/** A picture as a worker sent it; `data` is base64. Checked for form and size, not for meaning. */
export interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

/** The first rows and columns of a table, as text; null is a missing value. */
export interface Table {
  readonly columns: string[];
  readonly rows: (string | null)[][];
  readonly totalRows: number;
  readonly totalColumns: number;
}

/** What a worker says when the code has ended by itself. */
export interface Report {
  readonly ok: boolean;
  /** The repr of a last expression, perhaps cut. */
  readonly value?: string | undefined;
  /** Characters of the whole repr. */
  readonly valueLength?: number | undefined;
  readonly error?: string | undefined;
  readonly traceback?: string | undefined;
  readonly exitCode?: number | undefined;
  /** The code was interrupted because its time was up, and named the line. */
  readonly timeLimit?: boolean | undefined;
  /** Tables that were shown, and a last expression that is one. */
  readonly tables?: readonly Table[] | undefined;
}

/** How a job ended. Only `finished` was up to the code; all others ended everything in the worker. */
export type Ending = 'finished' | 'timeout' | 'cancelled' | 'memory' | 'processes' | 'processor' | 'output' | 'died';

export interface Outcome {
  readonly ending: Ending;
  readonly report?: Report;
  readonly pictures: readonly Picture[];
  readonly durationMs: number;
  /** What the model must be told beside the result, in sentences. */
  readonly notes: readonly string[];
}

/** Both directions to a worker process. Everything that comes from it is untrusted. */
export interface WorkerLink {
  send(message: JsonObject): void;
  onMessage(listener: (message: unknown) => void): void;
  onOutput(listener: (bytes: Uint8Array) => void): void;
  /** Resolves when the process and all it started are gone and its output has been read. Never rejects. */
  readonly closed: Promise<{ readonly outOfMemory: boolean }>;
  /** Ends it all; resolves as `closed` does. */
  kill(): Promise<void>;
  /** What it uses now, where that can be measured. */
  usage(): WorkerUsage | undefined;
}

/** What all processes of a worker use together. */
export interface WorkerUsage {
  readonly memoryBytes: number;
  readonly processes: number;
  /** Processor time up to now. */
  readonly cpuMs: number;
  /** Only where the kernel holds the limit of memory: whether it has ended something for it. */
  readonly outOfMemory?: boolean;
}

/** Limits of one worker. */
export interface WorkerLimits {
  /** Of all its processes together. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Processor cores that it may keep busy for the whole time of a job. */
  readonly cores: number;
  /** Milliseconds of processor time that it may use between two jobs. */
  readonly idleCpuMs: number;
  /** Bytes that it may write to its output in one job, and between two. */
  readonly outputBytes: number;
  /** Where the worker's own files are inside: nobody wants to see their lines in a dump of what the code hung in. */
  readonly ownFolder?: string;
  /** Limits that the worker sets on itself, by process. */
  readonly perProcess: JsonObject;
}

/** What a worker says of itself when it is ready. */
export interface WorkerHello {
  /** Version of Python. */
  readonly python: string;
  /** Version of the kernel's Landlock interface that is in force; 0 for none. */
  readonly landlock: number;
  /** Version of Node below Pyodide; empty for CPython. */
  readonly runtime: string;
}

/** A process with an interpreter that waits for code. */
export interface PythonWorker {
  /** Resolves when it can take a job. @throws CausewayError `unavailable` when it ended first. */
  readonly ready: Promise<WorkerHello>;
  readonly alive: boolean;
  /** One job at a time. Rejects only as `ready` does, or with the signal's reason when it aborts before the code starts. */
  run(job: Job): Promise<Outcome>;
  kill(): Promise<void>;
}

/** Packages beside those of the interpreter, of one session. */
export interface Installed {
  /** Outside; the same path inside. */
  readonly folder: string;
  /** Another one after each installation. */
  readonly edition: string;
}

/** Where a worker is, and what it finds there. */
export interface Place {
  readonly workspace: string;
  readonly packages?: Installed | undefined;
}

/** A worker in its place. */
export interface PlacedWorker extends PythonWorker {
  /** False when the workspace, or what the person lets Python do, has changed since the worker was started. */
  fits(): Promise<boolean>;
  /** To be called after a job: stops what it left running until the next one, sets the workspace right, and says that and what else the model must know, in sentences. */
  settle(): Promise<string[]>;
}

/** Where code runs. */
export type BackendKind = 'bubblewrap' | 'wasm';

/** What there is to run Python with, for the model's description and for `causeway doctor`. */
export interface PythonDescription {
  readonly backend: BackendKind | 'none';
  /** Path of the interpreter; null for WebAssembly and for none. */
  readonly interpreter: string | null;
  readonly version: string | null;
  /** Known packages that can be imported. */
  readonly packages: readonly string[];
  /** What holds, or why there is none and what to do, in sentences. */
  readonly reason: string;
  /** Why no packages can be installed, in a sentence; undefined where they can. */
  readonly noPackages?: string | undefined;
  /** What limits of memory, processes and time hold, in a sentence; and what would make them hold better. */
  readonly limits?: { readonly detail: string; readonly fix?: string };
}
