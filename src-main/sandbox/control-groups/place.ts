import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Where this process may make control groups below. Version 1 has a folder for each kind of limit, version 2 one for all. */
export interface GroupPlace {
  readonly version: 1 | 2;
  readonly memory: string;
  readonly tasks: string;
  /** Only where processor time is counted. */
  readonly cpu?: string;
}

/** Why there is no place, in a sentence. */
export interface NoPlace {
  readonly reason: string;
}

/** A mounted hierarchy of control groups, and this process's own group in it. */
interface Hierarchy {
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
  readonly mount: string;
  readonly own: string;
}

/** The text of /proc/self/mountinfo and of /proc/self/cgroup (proc_pid_mountinfo(5), cgroups(7)). */
export interface GroupFacts {
  readonly mounts: string;
  readonly groups: string;
}

/**
 * Looks for a place. In version 2 it is the nearest group above this process that hands on both limits and is ours to write to:
 * the person's own slice of systemd, or a delegated group. A group that holds processes itself can not have limited ones below.
 */
export async function findGroupPlace(facts?: GroupFacts): Promise<GroupPlace | NoPlace> {
  const hierarchies = parseHierarchies(facts ?? (await readFacts()));
  const unified = hierarchies.find(({ version }) => version === 2);
  const place = unified && (await delegatedAbove(unified));
  if (place) return { version: 2, memory: place, tasks: place, cpu: place };
  const [memory, tasks, cpu] = await Promise.all(
    ['memory', 'pids', 'cpuacct'].map(async (controller) => {
      const found = hierarchies.find((one) => one.version === 1 && one.controllers.includes(controller));
      return found && (await isOurs(found.own)) ? found.own : undefined;
    }),
  );
  if (memory !== undefined && tasks !== undefined) {
    return { version: 1, memory, tasks, ...(cpu !== undefined && { cpu }) };
  }
  return {
    reason:
      hierarchies.length === 0
        ? 'there are no control groups on this system'
        : 'this program may make no control groups with limits of memory and processes where it was started',
  };
}

/** Exported for tests: what is mounted, in the order of the list of mounts. */
export function parseHierarchies({ mounts, groups }: GroupFacts): Hierarchy[] {
  const own = new Map(
    groups
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [, controllers = '', ...rest] = line.split(':');
        return [controllers, rest.join(':')] as const;
      }),
  );
  return mounts.split('\n').flatMap((line): Hierarchy[] => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', mount = ''] = before.split(' ');
    const [kind, , options = ''] = after.split(' ');
    if (kind !== 'cgroup' && kind !== 'cgroup2') return [];
    const controllers = kind === 'cgroup2' ? [] : options.split(',');
    const name = [...own.keys()].find((known) =>
      kind === 'cgroup2' ? known === '' : known !== '' && known.split(',').every((one) => controllers.includes(one)),
    );
    const group = name === undefined ? undefined : own.get(name);
    // Mounts may show a part of the tree only; a group outside of it can not be reached.
    const below = group === undefined ? '..' : path.relative(root, group);
    if (below.startsWith('..')) return [];
    return [{ version: kind === 'cgroup2' ? 2 : 1, controllers, mount, own: path.join(mount, below) }];
  });
}

async function delegatedAbove({ mount, own }: Hierarchy): Promise<string | undefined> {
  for (let folder = own; ; folder = path.dirname(folder)) {
    const handed = await readFile(path.join(folder, 'cgroup.subtree_control'), 'latin1').catch(() => '');
    const names = handed.trim().split(' ');
    if (names.includes('memory') && names.includes('pids') && (await isOurs(folder))) return folder;
    if (folder === mount || folder === path.dirname(folder)) return undefined;
  }
}

/** To move a process from one group to another takes the right to write to the list of the group above both. */
async function isOurs(folder: string): Promise<boolean> {
  const mayWrite = async (file: string): Promise<void> => await access(file, constants.W_OK);
  return await Promise.all([mayWrite(folder), mayWrite(path.join(folder, 'cgroup.procs'))]).then(
    () => true,
    () => false,
  );
}

async function readFacts(): Promise<GroupFacts> {
  const read = (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');
  const [mounts, groups] = await Promise.all([read('/proc/self/mountinfo'), read('/proc/self/cgroup')]);
  return { mounts, groups };
}
