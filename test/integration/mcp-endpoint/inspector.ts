import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const launcher = path.join(path.dirname(manifest), 'clients/launcher/build/index.js');

export interface InspectorRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the MCP Inspector's command-line mode, with a home of its own, and gives what it prints. */
export function inspect(args: string[]): Promise<InspectorRun> {
  const home = temporaryFolder();
  const { promise, resolve } = Promise.withResolvers<InspectorRun>();
  const child = execFile(
    process.execPath,
    [launcher, '--cli', ...args, '--format', 'json', '--quiet'],
    { env: { ...process.env, HOME: home }, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
    (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

/** The result of a method, as the Inspector got it. */
export async function inspectResult(args: string[]): Promise<unknown> {
  const { stdout, stderr, code } = await inspect(args);
  if (!stdout) throw new Error(`The Inspector printed nothing (exit ${code}): ${stderr}`);
  const printed: { result: unknown } = JSON.parse(stdout);
  return printed.result;
}

/** The arguments that call a tool. */
export function callArgs(name: string, input: object): string[] {
  return ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)];
}
