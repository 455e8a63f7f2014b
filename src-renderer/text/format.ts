/** A duration in milliseconds as people say it: "412 ms", "2.1 s", "3 min 12 s". */
export function duration(ms: number, locale: string): string {
  const unit = (value: number, name: 'millisecond' | 'second' | 'minute' | 'hour', digits = 0): string =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  if (ms < 1) return unit(ms, 'millisecond', 1);
  if (ms < 1000) return unit(ms, 'millisecond');
  if (ms < 59_950) return unit(ms / 1000, 'second', 1);
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${unit(Math.floor(seconds / 60), 'minute')} ${unit(seconds % 60, 'second')}`;
  return `${unit(Math.floor(seconds / 3600), 'hour')} ${unit(Math.floor((seconds % 3600) / 60), 'minute')}`;
}

/** A number of bytes with a fitting unit. */
export function bytes(size: number, locale: string): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = size < 1 ? 0 : Math.min(3, Math.floor(Math.log10(size) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: steps[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(size / 1000 ** power);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When something was, as short as it stays clear: "now", "12 min", "14:05", "Mon", "12 Nov". */
export function shortTime(at: number, now: number, locale: string, nowWord: string): string {
  const age = now - at;
  if (age < MINUTE) return nowWord;
  if (age < HOUR) {
    const minutes = Math.floor(age / MINUTE);
    return new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'short' }).format(minutes);
  }
  const date = new Date(at);
  if (new Date(now).toDateString() === date.toDateString()) return clock(at, locale);
  if (age < 6 * DAY) return new Intl.DateTimeFormat(locale, { weekday: 'short' }).format(date);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(!sameYear && { year: 'numeric' }),
  }).format(date);
}

/** Hours and minutes. */
export function clock(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** Date and time in full, for tooltips and the history. */
export function dateTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;
}

/** The last two parts of a path, enough to know it by. */
export function shortPath(path: string): string {
  const parts = path.split(/[/\\]/).filter(Boolean);
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}

/** A path as seen from the workspace, when it is inside. */
export function relativePath(path: string, workspace: string | undefined): string {
  if (workspace === undefined) return path;
  const root = workspace.endsWith('/') ? workspace : `${workspace}/`;
  return path.startsWith(root) ? path.slice(root.length) : path;
}
