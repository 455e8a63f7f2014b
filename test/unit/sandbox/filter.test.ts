import { describe, expect, it } from 'vitest';
import { buildFilter, filterMachine } from '../../../src-main/sandbox/seccomp/filter.ts';
import { SYSCALLS, type Machine } from '../../../src-main/sandbox/seccomp/syscalls.ts';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (code: number): number => 0x00050000 | code;

/** Runs a filter as the kernel would, on one system call. */
function judge(program: Uint8Array, call: { architecture: number; number: number; args?: number[] }): number {
  const code = Buffer.from(program);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  (call.args ?? []).forEach((value, index) => data.writeUInt32LE(value >>> 0, 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at * 8 < code.length; at += 1) {
    const operation = code.readUInt16LE(at * 8);
    const [yes, no] = [code.readUInt8(at * 8 + 2), code.readUInt8(at * 8 + 3)];
    const value = code.readUInt32LE(at * 8 + 4);
    if (operation === 0x20) accumulator = data.readUInt32LE(value);
    else if (operation === 0x06) return value;
    else if (operation === 0x15) at += accumulator === value ? yes : no;
    else if (operation === 0x35) at += accumulator >= value ? yes : no;
    else if (operation === 0x45) at += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`unknown operation ${operation}`);
  }
  throw new Error('the program ended without a verdict');
}

describe.each<Machine>(['x64', 'arm64'])('the system call filter for %s', (machine) => {
  const table = SYSCALLS[machine];
  const filter = buildFilter(machine);
  const verdict = (number: number, ...args: number[]): number =>
    judge(filter, { architecture: table.architecture, number, args });

  it('ends a process that calls in another machine’s way', () => {
    expect(judge(filter, { architecture: 0x40000003, number: 1 })).toBe(KILL);
  });

  it('refuses every call of its list, whatever the arguments', () => {
    for (const number of Object.values(table.refused)) expect(verdict(number, 1, 2, 3)).toBe(errno(1));
  });

  it('allows what it does not name', () => {
    // read, write, exit_group
    for (const number of machine === 'x64' ? [0, 1, 231] : [63, 64, 94]) expect(verdict(number)).toBe(ALLOW);
  });

  it('opens IP sockets and no others', () => {
    for (const family of [2, 10]) expect(verdict(table.socket, family)).toBe(ALLOW);
    for (const family of [1, 16, 17, 38, 40]) expect(verdict(table.socket, family)).toBe(errno(97));
  });

  it('lets processes and threads be made, but no namespaces', () => {
    expect(verdict(table.clone, 17)).toBe(ALLOW);
    expect(verdict(table.clone, 0x003d0f00)).toBe(ALLOW);
    for (const flag of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(verdict(table.clone, flag | 17)).toBe(errno(1));
    }
    expect(verdict(435)).toBe(errno(38));
  });

  it('refuses set-user-id and set-group-id bits wherever a mode is set, and nothing else about modes', () => {
    for (const { number, mode, flags } of table.modes) {
      const args = (value: number, open: number): number[] => {
        const list = [0, 0, 0, 0];
        list[mode] = value;
        if (flags !== undefined) list[flags] = open;
        return list;
      };
      for (const bits of [0o4755, 0o2755, 0o6000]) expect(verdict(number, ...args(bits, 0o101))).toBe(errno(1));
      expect(verdict(number, ...args(0o1777, 0o101))).toBe(ALLOW);
      if (flags !== undefined) {
        expect(verdict(number, ...args(0o4755, 0o2))).toBe(ALLOW);
        expect(verdict(number, ...args(0o4755, 0o20200000))).toBe(errno(1));
      }
    }
    expect(verdict(437)).toBe(errno(38));
  });

  it('makes files and FIFOs by mknod, but no devices', () => {
    for (const { number, mode } of table.mknod) {
      const args = (value: number): number[] => [0, 0, 0].with(mode, value);
      for (const kind of [0o100644, 0o010644]) expect(verdict(number, ...args(kind))).toBe(ALLOW);
      for (const kind of [0o020644, 0o060644, 0o104755]) expect(verdict(number, ...args(kind))).toBe(errno(1));
    }
  });

  it('types nothing into a terminal', () => {
    for (const request of [0x5412, 0x541c]) expect(verdict(table.ioctl, 0, request)).toBe(errno(1));
    expect(verdict(table.ioctl, 0, 0x5413)).toBe(ALLOW);
  });
});

it('the filter for x64 knows no x32 calls', () => {
  const filter = buildFilter('x64');
  expect(judge(filter, { architecture: SYSCALLS.x64.architecture, number: 0x40000000 + 101 })).toBe(errno(38));
});

it('there is a filter for x64 and arm64 and for no other machine', () => {
  expect(['x64', 'arm64', 'ia32', 'riscv64'].map(filterMachine)).toEqual(['x64', 'arm64', undefined, undefined]);
});
