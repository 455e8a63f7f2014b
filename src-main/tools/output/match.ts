import { CausewayError } from '../../../src-shared/index.ts';
import { matchWithin } from '../timed-match.ts';
import type { Line } from './lines.ts';

/** Time that an expression may take in all: some take for ever on an innocent line. In milliseconds. */
const TIMEOUT_MS = 3000;
/** Longer lines are looked at up to here, in characters. */
const LONGEST = 20_000;

/** Gives those of some lines that match. */
export type Matcher = (lines: readonly Line[]) => Line[];

/** Lines that hold the text, whatever its case when the text is all lower case. */
export function matchText(wanted: string): Matcher {
  const anyCase = wanted === wanted.toLowerCase();
  return (lines) => lines.filter(({ text }) => (anyCase ? text.toLowerCase() : text).includes(wanted));
}

/**
 * Lines that a JavaScript regular expression matches. It is interrupted when it takes too long.
 * @throws CausewayError `bad_input` for what is no expression, and, while matching, for one that takes too long.
 */
export function matchExpression(source: string): Matcher {
  let expression: RegExp;
  try {
    expression = new RegExp(source, 'u');
  } catch (error) {
    throw new CausewayError('bad_input', `"${source}" is not a regular expression: ${String(error)}`);
  }
  let left = TIMEOUT_MS;
  return (lines) => {
    const texts = lines.map(({ text }) => text.slice(0, LONGEST));
    const startedAt = performance.now();
    const found = matchWithin(expression, texts, left);
    left -= performance.now() - startedAt;
    if (found) return lines.filter((_, index) => found[index]);
    throw new CausewayError('bad_input', 'The expression takes too long on this output.', {
      hint: 'Search for plain text, or for an expression without nested repetitions.',
    });
  };
}
