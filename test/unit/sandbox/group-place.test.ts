import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findGroupPlace, parseHierarchies } from '../../../src-main/sandbox/control-groups/place.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** A tree of control groups as files: folder to what it hands on to the groups below. */
function tree(groups: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [name, handed] of Object.entries(groups)) {
    const folder = path.join(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'cgroup.subtree_control'), `${handed}\n`);
    writeFileSync(path.join(folder, 'cgroup.procs'), '');
  }
  return root;
}

const unified = (mount: string): string =>
  `31 23 0:28 / ${mount} rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n`;
const separate = (mount: string, controller: string): string =>
  `35 31 0:32 / ${mount} rw,relatime - cgroup cgroup rw,${controller}\n`;

describe('the place for control groups', () => {
  it('is the nearest group above that hands on memory and processes', async () => {
    const mount = tree({
      '': 'cpu memory pids',
      'user.slice/app.slice': 'memory pids',
      'user.slice/app.slice/a.scope': '',
    });
    const found = await findGroupPlace({ mounts: unified(mount), groups: '0::/user.slice/app.slice/a.scope\n' });
    const slice = path.join(mount, 'user.slice/app.slice');
    expect(found).toEqual({ version: 2, memory: slice, tasks: slice, cpu: slice });
  });

  it('is its own group, when that was delegated with limits', async () => {
    const mount = tree({ box: 'memory pids' });
    expect(await findGroupPlace({ mounts: unified(mount), groups: '0::/box\n' })).toMatchObject({
      memory: path.join(mount, 'box'),
    });
  });

  it('is none where only one of the two is handed on', async () => {
    const mount = tree({ '': 'memory', box: '' });
    expect(await findGroupPlace({ mounts: unified(mount), groups: '0::/box\n' })).toEqual({
      reason: 'this program may make no control groups with limits of memory and processes where it was started',
    });
  });

  it('is none without control groups', async () => {
    expect(await findGroupPlace({ mounts: '22 1 0:5 / /proc rw - proc proc rw\n', groups: '' })).toEqual({
      reason: 'there are no control groups on this system',
    });
  });
});

describe('mounted hierarchies', () => {
  it('may show a part of the tree: a group in it is found below the mount, one outside is not', () => {
    const mounts = '31 23 0:28 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n';
    expect(parseHierarchies({ mounts, groups: '0::/docker/abc/x\n' })).toMatchObject([{ own: '/sys/fs/cgroup/x' }]);
    expect(parseHierarchies({ mounts, groups: '0::/elsewhere\n' })).toEqual([]);
  });

  it('may hold two controllers of version 1 at once', () => {
    const mounts = separate('/g/cpu,cpuacct', 'cpu,cpuacct');
    expect(parseHierarchies({ mounts, groups: '3:cpu,cpuacct:/me\n' })).toMatchObject([
      { version: 1, own: '/g/cpu,cpuacct/me' },
    ]);
  });
});
