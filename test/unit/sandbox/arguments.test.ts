import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, type HostFacts } from '../../../src-main/sandbox/bubblewrap/arguments.ts';
import type { SandboxPolicy } from '../../../src-main/sandbox/index.ts';
import { checkPolicy, minimalPolicy } from '../../../src-main/sandbox/policy.ts';

const host: HostFacts = {
  systemRoot: ['--ro-bind', '/usr', '/usr'],
  kernelFiles: ['--ro-bind', '/dev/null', '/proc/keys'],
  protectable: ['.git'],
  nested: ['sub/.git'],
  hiddenFiles: new Set(['/home/me/project/.netrc']),
  files: new Map<string, number | string>([
    ['/etc/passwd', 7],
    ['/etc/group', '/run/mine/group'],
  ]),
  filterDescriptor: 6,
  terminal: 'new',
};
const policy: SandboxPolicy = {
  ...minimalPolicy(),
  workspace: { path: '/home/me/project', access: 'read-write' },
  protectedEntries: ['.git'],
  readable: ['/opt/python', '/home/me/project/.venv'],
  hidden: ['/home/me/project/data', '/home/me/.config/causeway'],
};

/** Where the arguments `words` stand, one after the other. */
function at(args: readonly string[], ...words: string[]): number {
  return args.findIndex((_, index) => words.every((word, offset) => args[index + offset] === word));
}

describe('the arguments of a sandbox', () => {
  const args = bubblewrapArguments(policy, host, '/home/me/project');

  it('take every namespace, every capability and the environment away', () => {
    for (const option of ['--unshare-all', '--disable-userns', '--clearenv', '--die-with-parent']) {
      expect(args).toContain(option);
    }
    expect(at(args, '--cap-drop', 'ALL')).toBeGreaterThanOrEqual(0);
  });

  it('make /proc, /dev and the root read-only, after they are complete', () => {
    expect(at(args, '--remount-ro', '/proc')).toBeGreaterThan(at(args, '--proc', '/proc'));
    expect(at(args, '--remount-ro', '/dev')).toBeGreaterThan(at(args, '--tmpfs', '/dev/shm'));
    expect(at(args, '--remount-ro', '/')).toBeGreaterThan(args.lastIndexOf('--ro-bind'));
  });

  it('cover what /proc tells of the machine, when /proc is there', () => {
    expect(at(args, '--ro-bind', '/dev/null', '/proc/keys')).toBeGreaterThan(at(args, '--remount-ro', '/proc'));
  });

  it('give every memory file system a size', () => {
    args.forEach((word, index) => {
      if (word === '--tmpfs') expect(args[index - 2]).toBe('--size');
    });
  });

  it('mount the workspace at its own path, then what must not change in it over it', () => {
    const workspace = at(args, '--bind', '/home/me/project', '/home/me/project');
    expect(workspace).toBeGreaterThan(at(args, '--ro-bind', '/opt/python', '/opt/python'));
    expect(at(args, '--ro-bind', '/home/me/project/.git')).toBeGreaterThan(workspace);
    expect(at(args, '--ro-bind', '/home/me/project/.venv')).toBeGreaterThan(workspace);
  });

  it('cover hidden folders where something shows them, and only there', () => {
    expect(at(args, '--tmpfs', '/home/me/project/data')).toBeGreaterThan(at(args, '--bind', '/home/me/project'));
    expect(args).not.toContain('/home/me/.config/causeway');
  });

  it('bind nothing writable when the workspace is read-only', () => {
    const readOnly = { ...policy, workspace: { path: '/home/me/project', access: 'read-only' } as const };
    expect(bubblewrapArguments(readOnly, host, '/')).not.toContain('--bind');
  });

  it('leave the private /tmp out when the workspace is /tmp itself', () => {
    const inTmp = { ...policy, workspace: { path: '/tmp', access: 'read-write' } as const };
    expect(at(bubblewrapArguments(inTmp, host, '/tmp'), '--tmpfs', '/tmp')).toBe(-1);
  });
});

describe('a policy is refused', () => {
  it.each(['/', '/usr', '/usr/local/x', '/etc', '/proc/1', '/dev/shm', '/sandbox'])('with %s as workspace', (path) => {
    expect(() => checkPolicy({ ...policy, workspace: { path, access: 'read-write' } })).toThrow(
      'belongs to the system',
    );
  });

  it('with a hidden folder as workspace', () => {
    const path = '/home/me/.config/causeway';
    expect(() => checkPolicy({ ...policy, workspace: { path, access: 'read-write' } })).toThrow(
      'belongs to the system',
    );
  });

  it.each(['relative', '/a/../b', '/a\0b', '/a//b'])('with the path %j', (path) => {
    expect(() => checkPolicy({ ...policy, readable: [path] })).toThrow('plain path');
  });

  it('never when it is an ordinary one', () => {
    expect(() => checkPolicy(policy)).not.toThrow();
  });
});
