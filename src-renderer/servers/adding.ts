import type { BundleField, BundleValues, ServerProposal } from '../../src-shared/index.ts';

/** One environment variable or header in a form. */
export interface ValueRow {
  readonly name: string;
  readonly value: string;
}

/** Rows without a name are not there yet; of two with one name the last counts. */
export function rowsToRecord(rows: readonly ValueRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}

export function recordToRows(record: unknown): ValueRow[] {
  if (typeof record !== 'object' || record === null) return [];
  return Object.entries(record).map(([name, value]) => ({ name, value: String(value) }));
}

/** True for a name whose value is hidden while it is typed. */
export function isSecretName(name: string): boolean {
  return /(key|token|secret|passw(or)?d|credential|auth(orization)?|bearer|cookie)s?$/i.test(name.trim());
}

/** A name that nobody has yet. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** A proposed server as the person wants it. */
export interface Wanted {
  readonly chosen: boolean;
  readonly name: string;
}

/** At first everything new is chosen; what has a name that is taken gets a free one. */
export function firstChoice(
  proposals: readonly Pick<ServerProposal, 'name' | 'status'>[],
  attached: readonly string[],
): Wanted[] {
  const taken = new Set(attached);
  return proposals.map(({ name, status }) => {
    if (status === 'same' || status === 'unknown') return { chosen: false, name };
    const free = freeName(name, taken);
    taken.add(free);
    return { chosen: true, name: free };
  });
}

/** What of the chosen names stands in the way of adding them: one that is empty, taken, or there twice. */
export function wrongNames(wanted: readonly Wanted[], attached: readonly string[]): ReadonlySet<string> {
  const names = wanted.filter(({ chosen }) => chosen).map(({ name }) => name.trim());
  const taken = new Set(attached);
  return new Set(names.filter((name, index) => name === '' || taken.has(name) || names.indexOf(name) !== index));
}

/** The texts of a bundle's form, several values one a line. */
export function bundleDraft(fields: readonly BundleField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ key, default: preset }) => [key, Array.isArray(preset) ? preset.join('\n') : String(preset ?? '')]),
  );
}

export function draftToValues(fields: readonly BundleField[], draft: Readonly<Record<string, string>>): BundleValues {
  return Object.fromEntries(
    fields.flatMap(({ key, multiple }) => {
      const text = draft[key] ?? '';
      const lines = text.split('\n').map((line) => line.trim());
      if (text.trim() === '') return [];
      return [[key, multiple ? lines.filter((line) => line !== '') : text]];
    }),
  );
}

/** Bytes of a file in each message to the core, which takes base64. */
const PART_BYTES = 1_500_000;

/** A file in parts, as base64; an empty one is one empty part. */
export async function* fileParts(file: Blob): AsyncGenerator<{ data: string; last: boolean }> {
  for (let at = 0; at === 0 || at < file.size; at += PART_BYTES) {
    const bytes = new Uint8Array(await file.slice(at, at + PART_BYTES).arrayBuffer());
    let binary = '';
    // In pieces: a call takes only so many arguments.
    for (let from = 0; from < bytes.length; from += 8192) {
      binary += String.fromCharCode(...bytes.subarray(from, from + 8192));
    }
    yield { data: btoa(binary), last: at + PART_BYTES >= file.size };
  }
}
