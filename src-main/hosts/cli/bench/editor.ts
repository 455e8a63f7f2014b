import { randomUUID } from 'node:crypto';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

const SIZE_BYTES = 100 * 1024 * 1024;
const RUNS = 5;
const WORDS = ['alpha', 'omega'] as const;

/** `str_replace` in the middle of 100 MB, against finding, splicing and atomically writing the same bytes by hand. */
export const editorReplace: Bench = {
  name: 'editor.replace',
  async run({ folder, signal, call }) {
    const marker = randomUUID();
    // A file for each: the tool refuses to edit what another wrote behind its back.
    const [file, byHand] = [path.join(folder, 'large.txt'), path.join(folder, 'by-hand.txt')];
    for (const each of [file, byHand]) await writeFile(each, largeText(`${marker}-${WORDS[0]}`));
    const floors: number[] = [];
    const values: number[] = [];
    const once = { signal, warmUp: 0 };
    for (let run = 0; run < RUNS * 2; run += 1) {
      // To and fro, in turns: both see the machine, and the page cache, in the same state.
      const [from, to] = run % 4 < 2 ? WORDS : [WORDS[1], WORDS[0]];
      const [before, after] = [`${marker}-${from}`, `${marker}-${to}`];
      if (run % 2 === 0) {
        const input = { command: 'str_replace', path: file, old_str: before, new_str: after };
        values.push(...(await sampleMs(1, () => call('str_replace_editor', input), once)));
      } else {
        floors.push(...(await sampleMs(1, () => replaceByHand(byHand, before, after), once)));
      }
    }
    return toRow({
      name: 'editor.replace',
      value: median(values),
      unit: 'ms',
      floor: median(floors),
      goal: 2,
      note: 'Floor: read, find, splice and atomic write with fsync, without record, checks or undo.',
    });
  },
};

function largeText(needle: string): Buffer {
  const text = Buffer.alloc(SIZE_BYTES, 'An ordinary line of text, as long as lines are.\n');
  text.write(needle, SIZE_BYTES / 2);
  return text;
}

async function replaceByHand(file: string, before: string, after: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(before);
  if (at < 0 || bytes.indexOf(before, at + 1) >= 0) throw new Error(`${file} does not hold "${before}" once.`);
  const temporary = `${file}.tmp`;
  await using handle = await open(temporary, 'w');
  await handle.writev([bytes.subarray(0, at), Buffer.from(after), bytes.subarray(at + Buffer.byteLength(before))]);
  await handle.sync();
  await rename(temporary, file);
}
