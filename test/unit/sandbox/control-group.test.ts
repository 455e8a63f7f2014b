import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createControlGroup, removeLeftGroups } from '../../../src-main/sandbox/control-groups/group.ts';
import type { GroupPlace } from '../../../src-main/sandbox/control-groups/place.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** Folders take the part of the kernel's tree: what is written shows which files are used, and how. */
function placeIn(folder: string): GroupPlace {
  return { version: 2, memory: folder, tasks: folder, cpu: folder };
}

describe('a control group of version 2', () => {
  it('has its limits before a process is in it', async () => {
    const folder = temporaryFolder();
    const group = await createControlGroup(placeIn(folder), { memoryBytes: 1000, tasks: 7 });
    const [name = ''] = readdirSync(folder);
    const read = (file: string): string => readFileSync(path.join(folder, name, file), 'utf8');
    expect([read('memory.max'), read('pids.max')]).toEqual(['1000', '7']);
    await group.enter(4711);
    expect(read('cgroup.procs')).toBe('4711');
  });

  it('says what the kernel counted', async () => {
    const folder = temporaryFolder();
    const group = await createControlGroup(placeIn(folder), { memoryBytes: 1000, tasks: 7 });
    expect(group.outOfMemory()).toBe(false);
    const own = path.join(folder, readdirSync(folder)[0] ?? '');
    writeFileSync(path.join(own, 'cpu.stat'), 'usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n');
    writeFileSync(path.join(own, 'memory.events'), 'low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n');
    expect([group.cpuMs(), group.outOfMemory()]).toEqual([1.5, true]);
  });

  it('fails where a limit cannot be set, and leaves no folder', async () => {
    const place = { version: 1, memory: temporaryFolder(), tasks: path.join(temporaryFolder(), 'missing') } as const;
    await expect(createControlGroup(place, { memoryBytes: 1000, tasks: 7 })).rejects.toThrow('ENOENT');
    expect(readdirSync(place.memory)).toEqual([]);
  });
});

describe('groups that a Causeway left behind', () => {
  it('are removed, those of one that runs are not', async () => {
    const folder = temporaryFolder();
    const stat = readFileSync(`/proc/${process.pid}/stat`, 'latin1');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const own = path.join(folder, `causeway-${process.pid}-${started}-1`);
    const left = path.join(folder, 'causeway-4194304-1-1');
    mkdirSync(own);
    mkdirSync(left);
    await removeLeftGroups(placeIn(folder));
    expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
  });
});
