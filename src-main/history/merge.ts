import { diff3Merge } from 'node-diff3';

/** A merge of texts. Where both sides changed the same lines, both stand in it between marks, and count as a conflict. */
export interface Merged {
  text: string;
  conflicts: number;
}

/**
 * The most pairs of equal lines that are looked at: the algorithm's time and memory grow with them, and a long file of equal lines
 * has millions.
 */
const MOST_PAIRS = 1_000_000;

/**
 * What `ours` becomes when the change from `base` to `theirs` is made to it as well. Line ends belong to their lines. Undefined when
 * the texts are too large for it.
 * @param names stand at the marks of a conflict.
 */
export function mergeTexts(
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
  names: { ours: string; theirs: string },
): Merged | undefined {
  const [o, a, b] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  if (pairsOf(o, a) > MOST_PAIRS || pairsOf(o, b) > MOST_PAIRS) return undefined;
  const parts: string[] = [];
  let conflicts = 0;
  for (const region of diff3Merge(a, o, b, { excludeFalseConflicts: true })) {
    if (region.ok) parts.push(...region.ok);
    if (!region.conflict) continue;
    conflicts += 1;
    const end = lineEndOf([...region.conflict.a, ...region.conflict.b]);
    parts.push(`<<<<<<< ${names.ours}${end}`, ...closed(region.conflict.a, end));
    parts.push(`=======${end}`, ...closed(region.conflict.b, end), `>>>>>>> ${names.theirs}${end}`);
  }
  return { text: parts.join(''), conflicts };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** With a line end behind the last line, so that a mark can follow. */
function closed(lines: readonly string[], end: string): string[] {
  return lines.map((line) => (line.endsWith('\n') ? line : line + end));
}

function lineEndOf(lines: readonly string[]): string {
  return lines.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
}

function pairsOf(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
