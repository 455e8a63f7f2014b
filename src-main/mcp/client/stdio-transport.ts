import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { CausewayError } from '../../../src-shared/index.ts';
import {
  createFamilyMark,
  createRunFolder,
  endFamily,
  FAMILY_VARIABLE,
  processIdentity,
  type ProcessFamily,
} from '../../platform/index.ts';
import type { Launch } from './launch.ts';
import { forPlatform } from './launching/windows-command.ts';
import { createLineSplitter } from './line-splitter.ts';

/** Longest line of stderr, and longest piece of junk from stdout, that is kept, in bytes. */
const LOG_LINE_BYTES = 4_096;
/** What a process that has exited may still have in its pipes is awaited this long, in milliseconds. */
const DRAIN_MS = 250;
/** A server that has never said a word has nothing to finish: its steps of the shutdown are this short, in milliseconds. */
const UNHEARD_STOP_MS = 200;
/** The kind of run folder that records a server's process. */
export const SERVER_RUN_KIND = 'server';

/** JSON-RPC 2.0, "Internal error". */
const INTERNAL_ERROR = -32_603;
/** Says whose answer it is, whatever else is wrong with it. */
const answerLike = z.object({ id: z.union([z.string(), z.number()]), method: z.undefined().optional() });

/** Begins what came on stdout and is no message. */
export const JUNK = '[not a message, on stdout] ';

/** Begins what Causeway itself adds to a server's log. */
export const OWN_WORDS = '[Causeway] ';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The stdio transport of MCP over a process of our own, in its own process group. */
export interface StdioTransport extends Transport {
  // These two also tell the SDK that this is stdio: a silent server is then one of the older protocol, not an outage.
  readonly pid: number | undefined;
  readonly stderr: null;
}

export interface StdioTransportOptions {
  launch: Launch;
  /** Where a record of the process is kept, for the start after a crash. */
  runDir: string;
  /** Bytes of one message. */
  messageBytes: number;
  /** Milliseconds for each step of the shutdown. */
  stopMs: number;
  /** A line of stderr, or (marked so) something on stdout that is no message. */
  onLog(line: string): void;
  /** The process ended without `close()`. */
  onExit(exit: ProcessExit): void;
}

/**
 * Runs a server and speaks newline-delimited JSON with it (MCP 2025-11-25, "Transports: stdio"). Junk on stdout is logged
 * and passed over. `close()` closes stdin, then sends SIGTERM, then SIGKILL, to everything the server has started, and
 * resolves when nothing of it is left.
 */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { launch, runDir, messageBytes, onLog, onExit } = options;
  const mark = createFamilyMark();
  let child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  let family: ProcessFamily = { root: undefined, mark };
  let exited = false;
  let heard = false;
  const stopMs = (): number => (heard ? options.stopMs : Math.min(options.stopMs, UNHEARD_STOP_MS));
  let closing: Promise<void> | undefined;
  let writable: Promise<unknown> | undefined;
  const inbox: JSONRPCMessage[] = [];
  const ended = Promise.withResolvers<undefined>();

  async function start(): Promise<void> {
    const folder = createRunFolder(runDir, SERVER_RUN_KIND, mark);
    void ended.promise.then(() => folder[Symbol.dispose]());
    const confined = await launch.confine?.(folder.path).catch((cause: unknown) => {
      ended.resolve(undefined);
      throw cause;
    });
    void ended.promise.then(() => confined?.dispose());
    const { env, cwd, ...program } = confined ?? launch;
    const { file, args, verbatim } = forPlatform(program.file, program.args);
    const running = spawn(file, args, {
      env: { ...env, [FAMILY_VARIABLE]: mark },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsVerbatimArguments: verbatim,
      // A group of its own, so that a signal reaches all of it. On Windows this would open a console instead.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    try {
      await once(running, 'spawn');
    } catch (cause) {
      ended.resolve(undefined);
      throw cause;
    }
    child = running;
    if (running.pid !== undefined) {
      family = { root: processIdentity(running.pid), mark };
      folder.setRoot(running.pid);
    }
    listen(running);
    // Closed while it was being started.
    if (closing) await shutDown();
  }

  function listen(running: ChildProcessByStdio<Writable, Readable, Readable>): void {
    const drained = once(running, 'close').catch(() => undefined);
    running.on('error', (error) => transport.onerror?.(error));
    // Writing to a server that has just died fails; its exit tells more.
    running.stdin.on('error', () => undefined);
    running.stdout.on('error', (error) => transport.onerror?.(error));
    running.stderr.on('error', () => undefined);
    running.stdout.on('data', createLineSplitter({ maxBytes: messageBytes, onLine: receive, onTooLong: refuse }));
    running.stderr.on(
      'data',
      createLineSplitter({
        maxBytes: LOG_LINE_BYTES,
        onLine: (line) => onLog(line.toString('utf8')),
        onTooLong: (head) => onLog(`${head.toString('utf8')} ...`),
      }),
    );
    running.once('exit', (code, signal) => {
      exited = true;
      if (!closing) onExit({ code, signal });
      void finish(drained);
    });
  }

  /** The process is gone: what it left behind must go too, also when it ended by itself. */
  async function finish(drained: Promise<unknown>): Promise<void> {
    await Promise.race([drained, delay(DRAIN_MS)]);
    await endFamily(family, { graceMs: closing ? 0 : stopMs() });
    endOrphanedGroup(child?.pid);
    child?.stdin.destroy();
    child?.stdout.destroy();
    child?.stderr.destroy();
    ended.resolve(undefined);
    transport.onclose?.();
  }

  function receive(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '' || closing) return;
    const message = parse(text);
    if (!message) onLog(`${JUNK}${text.slice(0, LOG_LINE_BYTES)}`);
    const delivered = message ?? brokenAnswer(text);
    if (!delivered) return;
    heard = true;
    inbox.push(delivered);
    if (inbox.length === 1) void deliver();
  }

  /**
   * In order. The SDK looks at responses at once but at notifications one microtask later, so without the wait progress that
   * comes in one chunk with its result would be lost.
   */
  async function deliver(): Promise<void> {
    for (let message = inbox[0]; message !== undefined; message = inbox[0]) {
      try {
        transport.onmessage?.(message);
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
      if (!('id' in message)) await Promise.resolve();
      inbox.shift();
    }
  }

  function refuse(): void {
    const megabytes = Math.round(messageBytes / 1024 / 1024);
    onLog(`${OWN_WORDS}It sent a message of more than ${megabytes} MB and was disconnected.`);
    void transport.close();
  }

  async function shutDown(): Promise<void> {
    if (!child) return;
    if (!exited) {
      child.stdin.end();
      await Promise.race([ended.promise, delay(stopMs())]);
      await endFamily(family, { graceMs: stopMs() });
    }
    await ended.promise;
  }

  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return child?.pid;
    },
    start,
    async send(message) {
      if (!child || exited || closing) throw new CausewayError('unavailable', 'The server process has ended.');
      if (child.stdin.write(serializeMessage(message))) return;
      // A server that does not read is its own delay: the deadline of the request still counts.
      writable ??= once(child.stdin, 'drain')
        .catch(() => undefined)
        .finally(() => (writable = undefined));
      await Promise.race([writable, ended.promise]);
    },
    close: () => (closing ??= shutDown()),
  };
  return transport;
}

/** Undefined for what is no message of MCP. */
function parse(text: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(text);
  } catch {
    return undefined;
  }
}

/**
 * An answer that is broken, as the error that it amounts to: it is the only one that its request will get, and without it a call
 * would wait until its time is up.
 */
function brokenAnswer(text: string): JSONRPCMessage | undefined {
  const { success, data } = answerLike.safeParse(parseJson(text));
  if (!success) return undefined;
  return { jsonrpc: '2.0', id: data.id, error: { code: INTERNAL_ERROR, message: 'Its answer is not valid JSON-RPC.' } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Ends what a leader that has just exited left in its group. On Linux the family's mark has found it already; elsewhere the
 * group is all there is, and its number can not be another's while somebody is in it.
 */
function endOrphanedGroup(leader: number | undefined): void {
  if (leader === undefined || process.platform === 'linux' || process.platform === 'win32') return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody was left in it.
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
