import type { NamedServer, ReadServers } from '../../../../src-shared/index.ts';
import { propose } from './propose.ts';
import { readText } from './read-text.ts';

/** What a pasted text asks to add, compared with what is attached. Nothing is run or written. */
export function readServers(text: string, attached: readonly NamedServer[]): ReadServers {
  const { entries, inputs, problem } = readText(text);
  return {
    proposals: entries.map((entry) => propose(entry, attached)),
    inputs,
    ...(problem !== undefined && { problem }),
  };
}
