import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toText } from '../../../../src-shared/index.ts';
import { createApp } from '../../../app.ts';
import { baseOptions } from '../../app-options.ts';
import type { Bench, BenchRow } from './contract.ts';

/** Runs one benchmark in an app and a folder of its own, which are gone afterwards. */
export async function inFreshApp(bench: Bench, signal: AbortSignal): Promise<BenchRow> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'causeway-bench-')));
  try {
    const folder = path.join(root, 'workspace');
    mkdirSync(folder);
    await using app = await createApp({
      ...baseOptions({ workspace: folder }),
      home: path.join(root, 'home'),
      canAsk: () => false,
      approvalMode: 'full',
    });
    const { id: sessionId } = app.store.sessions.create({ title: bench.name, workspace: folder, origin: 'terminal' });
    return await bench.run({
      app,
      folder,
      sessionId,
      signal,
      async call(name, input) {
        const result = await app.gateway.call({ sessionId, caller: { kind: 'person' }, name, input, signal });
        if (result.isError) throw new Error(`${name} failed: ${toText(result)}`);
        return result;
      },
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
