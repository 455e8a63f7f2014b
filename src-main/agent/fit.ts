import type { Entry } from './conversation.ts';

/** What may be sent: characters of text, and images. */
export interface Budget {
  characters: number;
  images: number;
}

/** Characters a token is counted as; a cautious mean over English, code and Chinese. */
export const CHARACTERS_PER_TOKEN = 3;
/** A result that is shrunk keeps this much of its beginning. */
const SHRUNK_CHARACTERS = 600;
/** The newest entries, which are never shrunk: the model is working with them. */
const FRESH_ENTRIES = 8;

/**
 * The conversation within the budget. First the oldest images become notes, then the oldest long results shrink to their
 * beginning, then the oldest turns make way for one note. Calls and their results stay together throughout, and the task and
 * the newest entries stay whole.
 */
export function fitConversation(entries: readonly Entry[], budget: Budget): Entry[] {
  const shown = limitImages(entries, budget.images);
  let excess = total(shown) - budget.characters;
  if (excess <= 0) return shown;
  const shrunk = shown.map((entry, index): Entry => {
    if (excess <= 0 || index >= shown.length - FRESH_ENTRIES) return entry;
    if (entry.kind !== 'tool' || entry.text.length <= SHRUNK_CHARACTERS * 1.5) return entry;
    const text = `${entry.text.slice(0, SHRUNK_CHARACTERS)}\n[… the rest of this older result is left out …]`;
    excess -= entry.text.length - text.length;
    return { ...entry, text };
  });
  return excess <= 0 ? shrunk : dropOldest(shrunk, excess);
}

function limitImages(entries: readonly Entry[], limit: number): Entry[] {
  let left = limit;
  const newestFirst = [...entries].reverse().map((entry): Entry => {
    if ((entry.kind !== 'tool' && entry.kind !== 'user') || !entry.images?.length) return entry;
    const kept = left > 0 ? entry.images.slice(-left) : [];
    left -= kept.length;
    const omitted = entry.images.length - kept.length;
    if (omitted === 0) return entry;
    return {
      ...entry,
      images: kept,
      text: `${entry.text}\n[${omitted} image(s) are not shown any more]`,
    };
  });
  return newestFirst.reverse();
}

/** Drops whole turns (a message with all its results) from the oldest on, but never the first task or the last turn. */
function dropOldest(entries: Entry[], excess: number): Entry[] {
  const first = entries.findIndex((entry) => entry.kind === 'user');
  let end = first + 1;
  let left = excess;
  while (left > 0) {
    const next = nextTurn(entries, end);
    if (next >= entries.length) break;
    left -= total(entries.slice(end, next));
    end = next;
  }
  if (end === first + 1) return entries;
  const note: Entry = {
    kind: 'note',
    text: `${end - first - 1} earlier steps are left out here, because they do not fit any more.`,
  };
  return [...entries.slice(0, first + 1), note, ...entries.slice(end)];
}

/** Where the turn after the one at `from` begins: results belong to the message before them. */
function nextTurn(entries: readonly Entry[], from: number): number {
  let index = from + 1;
  while (entries[index]?.kind === 'tool') index += 1;
  return index;
}

function total(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}

function sizeOf(entry: Entry): number {
  if (entry.kind !== 'assistant') return entry.text.length;
  return entry.toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, entry.text.length);
}
