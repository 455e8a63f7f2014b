import { mkdirSync, writeFileSync } from 'node:fs';
import { lstat, open, readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

const FILES = 10_000;
const PER_FOLDER = 100;
const CHANGED = 500;

/** A command in a workspace of 10,000 files: how much the look at what it changed adds, against looking at every file by hand. */
export const historyCheck: Bench = {
  name: 'history.check',
  async run({ app: { snapshots }, folder, sessionId, signal }) {
    fill(folder, FILES);
    const actor = { sessionId, caller: { kind: 'person' } } as const;
    let unchecked = await snapshots.begin(folder, actor, signal);
    await unchecked.end({ goesOn: false });
    const values = await sampleMs(
      7,
      async () => {
        unchecked = await snapshots.begin(folder, actor, signal);
        await unchecked.end({ goesOn: false });
      },
      { signal, warmUp: 1 },
    );
    // Before the command and after it.
    const looks = 2;
    const floors = await sampleMs(3, () => lookByHand(folder), { signal, warmUp: 1 });
    return toRow({
      name: 'history.check',
      value: median(values) / looks,
      unit: 'ms',
      floor: median(floors),
      goal: 1.5,
      note: 'Floor: every folder listed and every file looked at once, a hundred at a time. One of the two looks of a command.',
    });
  },
};

/** Taking back a command that changed 500 files, against replacing as many files durably by hand. */
export const historyUndoCommand: Bench = {
  name: 'history.undo500',
  async run({ app: { history, snapshots }, folder, sessionId, signal }) {
    fill(folder, CHANGED);
    const floors: number[] = [];
    const values: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const callId = `round-${round}`;
      const actor = { sessionId, callId, caller: { kind: 'person' } } as const;
      const command = await snapshots.begin(folder, actor, signal);
      for (const file of filesOf(folder, CHANGED)) writeFileSync(file, `changed in round ${round}\n`);
      await command.end({ goesOn: false });
      values.push(...(await sampleMs(1, () => history.revert({ callId }, 'undo', actor), { signal, warmUp: 0 })));
      floors.push(...(await sampleMs(1, () => replaceByHand(filesOf(folder, CHANGED)), { signal, warmUp: 0 })));
    }
    return toRow({
      name: 'history.undo500',
      value: median(values),
      unit: 'ms',
      floor: median(floors),
      goal: 2.5,
      note: 'Floor: each file written beside itself, synced and renamed, eight at a time; no record.',
    });
  },
};

function* filesOf(folder: string, count: number): Generator<string> {
  for (let file = 0; file < count; file += 1) {
    yield path.join(folder, `folder-${Math.floor(file / PER_FOLDER)}`, `file-${file}.txt`);
  }
}

function fill(folder: string, count: number): void {
  for (const file of filesOf(folder, count)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `What is in ${path.basename(file)}: a line, as lines are.\n`);
  }
}

async function lookByHand(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (!entry.isDirectory()) continue;
    const names = await readdir(inner);
    await Promise.all(names.map((name) => lstat(path.join(inner, name))));
  }
}

async function replaceByHand(files: Iterable<string>): Promise<void> {
  const left = files[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = left.next(); !next.done; next = left.next()) {
      const temporary = `${next.value}.tmp`;
      await using handle = await open(temporary, 'w');
      await handle.write('replaced by hand\n');
      await handle.sync();
      await rename(temporary, next.value);
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker));
}
