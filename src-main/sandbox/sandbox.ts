import { realpath, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CausewayError, describeError } from '../../src-shared/index.ts';
import { isInside, type ProgramSearch } from '../platform/index.ts';
import { bubblewrapArguments } from './bubblewrap/arguments.ts';
import { explainFailure } from './bubblewrap/features.ts';
import { coverKernelFiles } from './bubblewrap/kernel-files.ts';
import { findBubblewrap, type FoundBubblewrap } from './bubblewrap/probe.ts';
import { startBubblewrap } from './bubblewrap/process.ts';
import { encloseWithBubblewrap, placeFiles, TERMINAL_FILTER_FD } from './bubblewrap/terminal.ts';
import { systemRoot } from './bubblewrap/system-root.ts';
import type {
  LimitedGroup,
  Sandbox,
  SandboxedProcess,
  SandboxLimits,
  SandboxPolicy,
  SandboxProbe,
  TerminalSandbox,
} from './contract.ts';
import { createControlGroup, removeLeftGroups, type ControlGroup } from './control-groups/group.ts';
import { findGroupPlace, type GroupPlace, type NoPlace } from './control-groups/place.ts';
import { planWayOut, type Forwarder } from './network/way-out.ts';
import { checkPolicy, minimalPolicy } from './policy.ts';
import { buildFilter } from './seccomp/filter.ts';
import type { Machine } from './seccomp/syscalls.ts';
import { measureLimited, measureTree } from './usage.ts';
import { guardWorkspace, protectableEntries } from './workspace-guard.ts';

const TRIAL_MS = 5000;
const TRIAL_LIMITS: SandboxLimits = { memoryBytes: 64 * 1024 * 1024, tasks: 16 };
/** Accounts as programs inside see them; the real ones stay out of sight. */
const ACCOUNT_FILES = {
  '/etc/passwd': 'agent:x:1000:1000::/sandbox/home:/bin/sh\n',
  '/etc/group': 'agent:x:1000:\n',
};

interface Ready extends FoundBubblewrap {
  readonly root: readonly string[];
  readonly kernelFiles: readonly string[];
  readonly place: GroupPlace | undefined;
}

interface SandboxParts {
  readonly searchPath: string;
  /** Folders that code of a model can write to: no program is taken from there. */
  readonly workspaces?: ProgramSearch['workspaces'];
  /** Without one no sandbox can have a way out. */
  readonly forwarder?: Forwarder;
}

/** Sandboxes made by bubblewrap, looked for on the search path outside of the workspaces. Nothing runs before the first use. */
export function createSandbox({ searchPath, workspaces = () => [], forwarder }: SandboxParts): Sandbox {
  let foundPlace: Promise<GroupPlace | NoPlace> | undefined;
  const findPlace = (): Promise<GroupPlace | NoPlace> => (foundPlace ??= tryPlace());
  let prepared: Promise<{ probe: SandboxProbe; ready?: Ready }> | undefined;
  const prepare = (): Promise<{ probe: SandboxProbe; ready?: Ready }> =>
    (prepared ??= findPlace().then((place) => tryOut({ searchPath, workspaces }, place)));

  async function needed(): Promise<Ready> {
    const { probe, ready } = await prepare();
    if (ready) return ready;
    const [reason, fix] = probe.backend === 'none' ? [probe.reason, probe.fix] : ['There is no sandbox here.', ''];
    throw new CausewayError('unavailable', reason, { hint: fix });
  }

  const groups = createGroups();
  return {
    probe: async () => (await prepare()).probe,
    launch: async (policy, argv, cwd) => await start(await needed(), policy, argv, cwd, groups),
    forTerminal: async (policy) => await prepareTerminal(await needed(), policy),
    wayOut(wanted) {
      if (forwarder) return planWayOut(forwarder, wanted);
      throw new CausewayError('unavailable', 'There is no way to allowed hosts here.');
    },
    measure: measureTree,
    guard: guardWorkspace,
    async limit(limits) {
      const place = await findPlace();
      return 'reason' in place ? undefined : limitedGroup(await groups.create(place, limits));
    },
    [Symbol.asyncDispose]: () => groups.closed(),
  };
}

interface Groups {
  readonly create: typeof createControlGroup;
  /** Groups are closed in the background; whoever ends the program waits for those that still are. */
  closed(): Promise<void>;
}

function createGroups(): Groups {
  const closing = new Set<Promise<void>>();
  return {
    async create(place, limits) {
      const group = await createControlGroup(place, limits);
      return {
        ...group,
        async close() {
          const done = group.close();
          closing.add(done);
          await done;
          closing.delete(done);
        },
      };
    },
    closed: async () => void (await Promise.all(closing)),
  };
}

/** The only proof that a sandbox can be made is one that was: `true` runs in it once. */
async function tryOut(
  search: ProgramSearch,
  found: GroupPlace | NoPlace,
): Promise<{ probe: SandboxProbe; ready?: Ready }> {
  const bubblewrap = await findBubblewrap(search);
  if (!('program' in bubblewrap)) return { probe: bubblewrap };
  const place = 'reason' in found ? undefined : found;
  const ready = { ...bubblewrap, root: await systemRoot(), kernelFiles: await coverKernelFiles(), place };
  const trial = await start(ready, minimalPolicy(), ['/bin/true'], '/', { create: createControlGroup });
  const timer = setTimeout(() => void trial.kill(), TRIAL_MS);
  const [stderr, { code }] = await Promise.all([text(trial.stderr), trial.gone]);
  clearTimeout(timer);
  if (code !== 0) return { probe: { backend: 'none', ...explainFailure(stderr) } };
  const limits =
    'reason' in found
      ? ({ by: 'none', ...found } as const)
      : ({ by: 'control groups', version: found.version } as const);
  return { probe: { backend: 'bubblewrap', version: bubblewrap.version, limits }, ready };
}

/** Whether a group can be had, only one that was made can tell. */
async function tryPlace(): Promise<GroupPlace | NoPlace> {
  const place = await findGroupPlace();
  if ('reason' in place) return place;
  await removeLeftGroups(place);
  try {
    await (await createControlGroup(place, TRIAL_LIMITS)).close();
    return place;
  } catch (error) {
    return { reason: `a control group with limits could not be made (${describeError(error)})` };
  }
}

function limitedGroup(group: ControlGroup): LimitedGroup {
  return { ...group, usage: (pid) => measureLimited(pid, group) };
}

async function start(
  { program, machine, root, kernelFiles, place }: Ready,
  policy: SandboxPolicy,
  argv: readonly [string, ...string[]],
  cwd: string,
  groups: Pick<Groups, 'create'>,
): Promise<SandboxedProcess> {
  checkPolicy(policy);
  await checkReadable(policy);
  const facts = await hostFacts(policy);
  const group = place && policy.limits ? await groups.create(place, policy.limits) : undefined;
  return startBubblewrap({
    group,
    program,
    argv,
    filter: filterFor(machine, policy),
    files: filesOf(policy),
    arguments: (descriptors) =>
      bubblewrapArguments(
        { ...policy, hidden: facts.hidden },
        {
          ...facts,
          systemRoot: root,
          kernelFiles,
          files: descriptors.files,
          filterDescriptor: descriptors.filter,
          terminal: 'new',
        },
        cwd,
      ),
  });
}

async function prepareTerminal(
  { program, machine, root, kernelFiles }: Ready,
  policy: Omit<SandboxPolicy, 'env'>,
): Promise<TerminalSandbox> {
  checkPolicy(policy);
  const facts = await hostFacts(policy);
  const filter = filterFor(machine, policy);
  return {
    enclose({ argv, cwd, env, folder }) {
      const args = bubblewrapArguments(
        { ...policy, env, hidden: facts.hidden },
        {
          ...facts,
          systemRoot: root,
          kernelFiles,
          files: placeFiles(folder, filesOf(policy)),
          filterDescriptor: TERMINAL_FILTER_FD,
          terminal: 'own',
        },
        cwd,
      );
      // The keeper's own environment can be read from inside: nothing of the person's is in it.
      const keeper = { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: env['TERM'] ?? 'xterm-256color' };
      return encloseWithBubblewrap({ program, argv, args, filter, folder, env: keeper });
    },
  };
}

function filterFor(machine: Machine, { network }: Pick<SandboxPolicy, 'network'>): Uint8Array {
  return buildFilter(machine, { unixSockets: network === 'sockets' });
}

function filesOf({ root, files }: Pick<SandboxPolicy, 'root' | 'files'>): Readonly<Record<string, string>> {
  return root === 'host' ? {} : { ...ACCOUNT_FILES, ...files };
}

/**
 * What is shown of a workspace must lie there: code may have put a link in its place, and the mount would follow it.
 * @throws CausewayError `refused`
 */
async function checkReadable({ workspace, readable }: Pick<SandboxPolicy, 'workspace' | 'readable'>): Promise<void> {
  if (!workspace) return;
  for (const one of readable.filter((entry) => isInside(entry, workspace.path))) {
    const real = await realpath(one).catch(() => one);
    if (isInside(real, workspace.path)) continue;
    throw new CausewayError('refused', `${one} has become a link that leads out of the workspace.`, {
      hint: 'Put the folder back that was there.',
    });
  }
}

/** What is there now of what a policy protects and hides. What is hidden is found through links as well. */
async function hostFacts({
  workspace,
  protectedEntries,
  nestedEntries = [],
  hidden,
}: Pick<SandboxPolicy, 'workspace' | 'protectedEntries' | 'nestedEntries' | 'hidden'>): Promise<{
  protectable: string[];
  nested: string[];
  hidden: string[];
  hiddenFiles: Set<string>;
}> {
  const protectable = workspace ? await protectableEntries(workspace.path, protectedEntries) : [];
  const nested = workspace ? await protectableEntries(workspace.path, nestedEntries) : [];
  const found = await Promise.all(hidden.map(realEntry));
  const there = found.filter((entry) => entry !== undefined);
  return {
    protectable,
    nested,
    hidden: [...new Set(there.map(({ path }) => path))],
    hiddenFiles: new Set(there.filter(({ isFolder }) => !isFolder).map(({ path }) => path)),
  };
}

/** Undefined for what is not there: a mount point cannot be made for it without making it on the host. */
async function realEntry(path: string): Promise<{ path: string; isFolder: boolean } | undefined> {
  try {
    const real = await realpath(path);
    return { path: real, isFolder: (await stat(real)).isDirectory() };
  } catch {
    return undefined;
  }
}
