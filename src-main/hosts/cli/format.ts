import { withoutReordering } from '../../../src-shared/index.ts';

/** Rows as aligned columns, two spaces apart; the last column is not padded. Line breaks (file names have them) are escaped. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replace(/\n/g, '\\n')));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Local date and time to the second, sortable: `2026-08-16 09:30:00`. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

/** A duration as people say it: `340 ms`, `2.1 s`, `3 min 20 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A size as people say it, in the units of the settings: `512 bytes`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let power = 0;
  let value = bytes;
  while (value >= 1024 && power < units.length - 1) {
    value /= 1024;
    power += 1;
  }
  const digits = power === 0 || value >= 10 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[power]}`;
}

/** The first line of a text, cut to `limit` characters. */
export function firstLine(text: string, limit = 100): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/**
 * Text from tools, models and servers must not steer the terminal that shows it: control characters other than line breaks
 * and tabs are shown as escapes, and what would change the reading order by its number.
 */
export function printable(text: string): string {
  const readable = withoutReordering(text.replace(/\r\n/g, '\n'));
  // eslint-disable-next-line no-control-regex -- finding control characters is the point
  return readable.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
