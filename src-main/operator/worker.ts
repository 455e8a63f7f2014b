import { isMainThread, parentPort } from 'node:worker_threads';
import { serveControl } from './sandboxed/serve-control.ts';
import { serveThread } from './threads/serve-thread.ts';

/*
 * The program that works on files: as a thread of Causeway, or as a process in a sandbox. Bundled into one file, so that the sandbox
 * needs to show nothing but Node, and a thread starts in no time.
 */

if (isMainThread) serveControl(JSON.parse(process.argv[2] ?? 'null'));
else if (parentPort) serveThread(parentPort);
