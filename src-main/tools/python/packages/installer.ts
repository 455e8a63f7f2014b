import { CausewayError } from '../../../../src-shared/index.ts';
import type { Sandbox, SandboxPolicy } from '../../../sandbox/index.ts';
import type { CpythonParts } from '../cpython/boot.ts';
import { certificates, LIMITS, OWN_HOSTS } from '../cpython/policy.ts';
import { openWayOut, type OpenWayOut } from '../cpython/way-out.ts';

/*
 * A security boundary: pip runs code of strangers (build scripts), and so in a sandbox. It sees the interpreter and the folder that it
 * installs into, nothing of the workspace or the person, and reaches the hosts of package indexes that the person named.
 *
 * It does NOT protect against: what the installed code does later in the session's Python, which runs in its own sandbox; an index
 * that delivers something else under a known name.
 */

const MEGABYTE = 1024 * 1024;
const INSTALL_MS = 10 * 60_000;
const SETTING = 'python.packageHosts';
/** Of pip's output, when it failed. */
const MOST_SAID = 4000;

export interface Installation {
  readonly folder: string;
  readonly packages: readonly string[];
  readonly hosts: readonly string[];
  readonly index: string | null;
  readonly signal: AbortSignal;
  onOutput(text: string): void;
}

/** Runs pip. @throws CausewayError `unavailable` with what it said, or the signal's reason. */
export async function runPip(
  parts: Pick<CpythonParts, 'sandbox' | 'interpreter' | 'hidden' | 'runDir'>,
  installation: Installation,
): Promise<void> {
  const { folder, packages, hosts, index, signal, onOutput } = installation;
  await using way = await openWayOut(parts, { hosts, setting: SETTING });
  if (!way) throw new CausewayError('unavailable', 'There is no host that packages may come from.');
  const { executable } = parts.interpreter;
  const options = ['--no-input', '--no-cache-dir', '--disable-pip-version-check', '--upgrade', '--target', folder];
  const from = index === null ? [] : ['--index-url', index];
  const pip = [executable, '-I', '-m', 'pip', 'install', ...options, ...from, '--', ...packages];
  const running = await parts.sandbox.launch(installPolicy(parts, folder, way), [...way.starter, ...pip], '/tmp');
  const said = follow(running, onOutput);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(INSTALL_MS)]);
  const onAbort = (): void => void running.kill();
  deadline.addEventListener('abort', onAbort, { once: true });
  if (deadline.aborted) onAbort();
  const { code } = await running.gone;
  deadline.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
  const refused = way.takeRefused();
  if (code === 0) return;
  const why = deadline.aborted ? 'it took longer than ten minutes' : said().trim().slice(-MOST_SAID);
  throw new CausewayError('unavailable', `${packages.join(', ')} could not be installed: ${why}`, {
    ...(refused.length > 0 && {
      hint: `Not among the hosts that the setting "${SETTING}" allows, and so refused: ${refused.join(', ')}. Only the person can add them.`,
    }),
  });
}

function follow(running: Awaited<ReturnType<Sandbox['launch']>>, onOutput: (text: string) => void): () => string {
  let said = '';
  const decoder = new TextDecoder();
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      const text = decoder.decode(bytes, { stream: true });
      said = (said + text).slice(-2 * MOST_SAID);
      onOutput(text);
    });
  }
  return () => said;
}

function installPolicy(
  { interpreter, hidden }: Pick<CpythonParts, 'interpreter' | 'hidden'>,
  folder: string,
  way: OpenWayOut,
): SandboxPolicy {
  return {
    root: 'minimal',
    protectedEntries: [],
    readable: [...interpreter.folders, ...certificates()],
    hidden,
    files: { '/etc/hosts': OWN_HOSTS },
    shared: [...way.shared, { path: folder, access: 'read-write' }],
    env: { ...way.env, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    network: 'sockets',
    limits: { memoryBytes: LIMITS.memoryBytes, tasks: 256 },
    sizes: { temporary: 1024 * MEGABYTE, sharedMemory: 16 * MEGABYTE, home: 64 * MEGABYTE },
  };
}
