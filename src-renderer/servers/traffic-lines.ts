import type { TrafficEntry } from '../../src-shared/index.ts';

export type TrafficChoice = 'all' | 'calls' | 'errors' | 'notifications';

const CALLS = new Set(['request', 'answer', 'error']);
const ERRORS = new Set(['error', 'unasked', 'junk', 'note']);

/** The messages that a choice and a search leave over; lines of stderr are shown elsewhere. */
export function filterTraffic(
  entries: readonly TrafficEntry[],
  { choice, search }: { choice: TrafficChoice; search: string },
): TrafficEntry[] {
  const wanted = search.trim().toLowerCase();
  return entries.filter(
    ({ kind, method, text }) =>
      kind !== 'stderr' &&
      (choice === 'all' ||
        (choice === 'calls' && CALLS.has(kind)) ||
        (choice === 'errors' && (ERRORS.has(kind) || /"isError":true/.test(text))) ||
        (choice === 'notifications' && kind === 'notification')) &&
      `${method ?? ''} ${text}`.toLowerCase().includes(wanted),
  );
}

/** Messages as text to be kept or sent: one a line, as the core gave them, secrets masked. */
export function copyTraffic(entries: readonly TrafficEntry[]): string {
  return entries
    .map(({ at, direction, kind, method, durationMs, text }) => {
      const arrow = { to: '->', from: '<-', none: '--' }[direction];
      const took = durationMs === undefined ? [] : [`${Math.round(durationMs * 10) / 10} ms`];
      return [new Date(at).toISOString(), arrow, kind, ...(method ? [method] : []), ...took, text].join(' ');
    })
    .join('\n');
}

/** JSON with line breaks, or the text as it is. */
export function prettyMessage(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
