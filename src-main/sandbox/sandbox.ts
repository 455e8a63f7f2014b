import { text } from 'node:stream/consumers';
import { CausewayError } from '../../src-shared/index.ts';
import { bubblewrapArguments } from './bubblewrap/arguments.ts';
import { explainFailure } from './bubblewrap/features.ts';
import { findBubblewrap, type FoundBubblewrap } from './bubblewrap/probe.ts';
import { startBubblewrap } from './bubblewrap/process.ts';
import { systemRoot } from './bubblewrap/system-root.ts';
import type { Sandbox, SandboxedProcess, SandboxPolicy, SandboxProbe } from './contract.ts';
import { checkPolicy, minimalPolicy } from './policy.ts';
import { buildFilter } from './seccomp/filter.ts';
import { measureTree } from './usage.ts';
import { guardWorkspace, protectableEntries } from './workspace-guard.ts';

const TRIAL_MS = 5000;
/** Accounts as programs inside see them; the real ones stay out of sight. */
const ACCOUNT_FILES = {
  '/etc/passwd': 'agent:x:1000:1000::/sandbox/home:/bin/sh\n',
  '/etc/group': 'agent:x:1000:\n',
};

interface Ready extends FoundBubblewrap {
  readonly filter: Uint8Array;
  readonly root: readonly string[];
}

/** Sandboxes made by bubblewrap, looked for on `searchPath` (the form of PATH). Nothing runs before the first use. */
export function createSandbox({ searchPath }: { searchPath: string }): Sandbox {
  let prepared: Promise<{ probe: SandboxProbe; ready?: Ready }> | undefined;
  const prepare = (): Promise<{ probe: SandboxProbe; ready?: Ready }> => (prepared ??= tryOut(searchPath));

  return {
    probe: async () => (await prepare()).probe,
    async launch(policy, argv, cwd) {
      const { probe, ready } = await prepare();
      if (!ready) {
        const [reason, fix] = probe.backend === 'none' ? [probe.reason, probe.fix] : ['There is no sandbox here.', ''];
        throw new CausewayError('unavailable', reason, { hint: fix });
      }
      return await start(ready, policy, argv, cwd);
    },
    measure: measureTree,
    guard: guardWorkspace,
  };
}

/** The only proof that a sandbox can be made is one that was: `true` runs in it once. */
async function tryOut(searchPath: string): Promise<{ probe: SandboxProbe; ready?: Ready }> {
  const found = await findBubblewrap(searchPath);
  if (!('program' in found)) return { probe: found };
  const ready = { ...found, filter: buildFilter(found.machine), root: await systemRoot() };
  const trial = await start(ready, minimalPolicy(), ['/bin/true'], '/');
  const timer = setTimeout(() => void trial.kill(), TRIAL_MS);
  const [stderr, { code }] = await Promise.all([text(trial.stderr), trial.gone]);
  clearTimeout(timer);
  if (code !== 0) return { probe: { backend: 'none', ...explainFailure(stderr) } };
  return { probe: { backend: 'bubblewrap', version: found.version }, ready };
}

async function start(
  { program, filter, root }: Ready,
  policy: SandboxPolicy,
  argv: readonly [string, ...string[]],
  cwd: string,
): Promise<SandboxedProcess> {
  checkPolicy(policy);
  const { workspace, protectedEntries } = policy;
  const protectable = workspace ? await protectableEntries(workspace.path, protectedEntries) : [];
  const files = policy.root === 'host' ? {} : { ...ACCOUNT_FILES, ...policy.files };
  return startBubblewrap({
    program,
    argv,
    filter,
    files,
    arguments: (descriptors) =>
      bubblewrapArguments(
        policy,
        {
          systemRoot: root,
          protectable,
          fileDescriptors: descriptors.files,
          filterDescriptor: descriptors.filter,
        },
        cwd,
      ),
  });
}
