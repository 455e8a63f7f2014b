import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findGroupPlace } from '../../../src-main/sandbox/control-groups/place.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { python, runPython, textOf } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

const place = await findGroupPlace();
const memory = 'reason' in place ? undefined : place.memory;

/** Groups that this process made and that are still there. */
function ownGroups(): string[] {
  return memory === undefined ? [] : readdirSync(memory).filter((name) => name.startsWith(`causeway-${process.pid}-`));
}

describe.skipIf(!hasBubblewrap)('the limits of Python (needs bubblewrap)', () => {
  it('are described by what holds them here', async () => {
    const { limits } = await python({ backend: 'bubblewrap' }).describe();
    expect(limits?.detail).toContain(memory === undefined ? 'held by a watch' : 'The kernel holds 2 GB of memory');
    expect(limits?.fix === undefined).toBe(memory !== undefined);
  });

  it.skipIf(memory === undefined)('hold for memory that one fork shares with many (needs control groups)', async () => {
    // Six times 400 MB by the sum over the processes, 400 MB by the kernel's count.
    const code = `
import os, time
block = bytearray(b"x" * (400 << 20))
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        time.sleep(0.5)
        os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
print("done")`;
    const tool = python({ backend: 'bubblewrap' });
    const result = await runPython(tool, { code, workspace: temporaryFolder() });
    expect(textOf(result)).toBe('done');
  });

  it.skipIf(memory === undefined)('leave no control groups behind (needs control groups)', async () => {
    const tool = python({ backend: 'bubblewrap' });
    await runPython(tool, { code: '1', workspace: temporaryFolder() });
    await waitFor(() => ownGroups().length > 0, { what: 'the group of the waiting worker' });
    await tool[Symbol.asyncDispose]();
    await waitFor(() => ownGroups().length === 0, { what: 'the end of the control groups' });
  });
});
