import { findHidden, readHidden, withHiddenShown, withoutHidden, type TextFlag } from '../../../../src-shared/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { findInstruction } from './instruction-like.ts';

/** Characters of one definition, or of one text, that are looked at; a longer one is flagged for that. */
const MOST_SCANNED = 100_000;
const MOST_FLAGS = 20;
/** Characters shown on each side of what was found. */
const AROUND = 60;
const DEEPEST = 40;
const LONG_SPACE = /(\s{2})\s+/g;

/** What should make people look twice in a tool's definition: in every text of it, also deep in its schemas. */
export function flagsOfTool(tool: ServerTool): TextFlag[] {
  const flags: TextFlag[] = [];
  let left = MOST_SCANNED;
  for (const [where, text] of textsOf(tool)) {
    if (left <= 0 || flags.length >= MOST_FLAGS) break;
    flags.push(...flagsOfText(text, where, left));
    left -= text.length;
  }
  return flags.slice(0, MOST_FLAGS);
}

/** The same for any text, such as a server's instructions. */
export function flagsOfText(whole: string, where: string, most = MOST_SCANNED): TextFlag[] {
  const flags: TextFlag[] = [];
  const text = whole.slice(0, most);
  if (text.length < whole.length) flags.push({ kind: 'long', where, excerpt: excerpt(text, 0, 0) });
  const [first] = findHidden(text);
  if (first) {
    const spells = readHidden(text);
    flags.push({
      kind: 'hidden',
      where,
      excerpt: excerpt(text, first.index, first.character.length),
      ...(spells !== undefined && { spells }),
    });
  }
  // As a model reads it: hidden characters do not keep words apart for it, nor do letters of another width.
  const plain = withoutHidden(text).normalize('NFKC').replace(LONG_SPACE, '$1');
  const found = findInstruction(plain) ?? findInstruction(readHidden(text) ?? '');
  if (found) flags.push({ kind: 'instruction', where, excerpt: excerpt(plain, found.index, found.length) });
  return flags;
}

function excerpt(text: string, index: number, length: number): string {
  const from = Math.max(0, index - AROUND);
  const to = Math.min(text.length, index + Math.min(length, 3 * AROUND) + AROUND);
  const shown = withHiddenShown(text.slice(from, to)).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`;
}

function* textsOf(tool: ServerTool): Generator<[where: string, text: string]> {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool;
  yield* strings({ name, title, description, annotations, inputSchema, outputSchema }, '', 0);
}

/** Every string in a value, and every key of its objects. */
function* strings(value: unknown, where: string, depth: number): Generator<[where: string, text: string]> {
  if (typeof value === 'string') yield [where, value];
  else if (typeof value === 'object' && value !== null && depth < DEEPEST) {
    for (const [key, entry] of Object.entries(value)) {
      const inside = where === '' ? key : `${where}.${key}`;
      if (!Array.isArray(value)) yield [withHiddenShown(inside), key];
      yield* strings(entry, withHiddenShown(inside), depth + 1);
    }
  }
}
