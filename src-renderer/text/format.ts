/** The short names of units; the Intl ones are either long ("sec") or glued to the number. */
const UNITS = {
  en: { ms: ' ms', s: ' s', min: ' min', h: ' h' },
  zh: { ms: ' 毫秒', s: ' 秒', min: ' 分', h: ' 小时' },
} as const;
type Unit = keyof (typeof UNITS)['en'];

function withUnit(value: number, unit: Unit, locale: string, digits = 0): string {
  const names = locale.startsWith('zh') ? UNITS.zh : UNITS.en;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value) + names[unit];
}

/** A duration in milliseconds as people say it: "412 ms", "2.1 s", "3 min 12 s". */
export function duration(ms: number, locale: string): string {
  if (ms < 1000) return withUnit(ms, 'ms', locale, ms < 1 ? 1 : 0);
  if (ms < 59_950) return withUnit(ms / 1000, 's', locale, 1);
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) {
    return `${withUnit(Math.floor(seconds / 60), 'min', locale)} ${withUnit(seconds % 60, 's', locale)}`;
  }
  return `${withUnit(Math.floor(seconds / 3600), 'h', locale)} ${withUnit(Math.floor((seconds % 3600) / 60), 'min', locale)}`;
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
  if (age < HOUR) return withUnit(Math.floor(age / MINUTE), 'min', locale);
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
