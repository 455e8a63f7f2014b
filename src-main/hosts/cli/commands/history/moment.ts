import { InvalidArgumentError } from 'commander';

/** Milliseconds of the units of a span. */
const UNITS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
const SPAN = /^(\d{1,6})([smhdw])$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/;

/** All that a date or time names, in milliseconds since 1970: a day is long, a span back from now is a moment. */
interface Period {
  from: number;
  to: number;
}

/** Reads when something begins: the first moment of what is named. */
export function sinceMoment(text: string): number {
  return periodOf(text).from;
}

/** Reads when something ends: what is named counts whole. */
export function untilMoment(text: string): number {
  return periodOf(text).to;
}

function periodOf(text: string): Period {
  const [, count, unit] = SPAN.exec(text) ?? [];
  const milliseconds = unit === undefined ? undefined : UNITS.get(unit);
  if (milliseconds !== undefined) {
    const moment = Date.now() - Number(count) * milliseconds;
    return { from: moment, to: moment };
  }
  const period = dateOf(text);
  if (period) return period;
  throw new InvalidArgumentError(
    'A time is a date such as 2026-12-01, "2026-12-01 14:00", or a span back from now such as 30m, 2h, 3d.',
  );
}

/** In local time, as times are printed. Undefined for what no calendar has. */
function dateOf(text: string): Period | undefined {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? 0 : Number(part)));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const from = new Date(year, month - 1, day, hour, minute, second);
  // What a calendar lacks (31 February) would become another day.
  if (from.getMonth() !== month - 1 || from.getDate() !== day) return undefined;
  const next = new Date(from);
  if (found[6] !== undefined) next.setSeconds(second + 1);
  else if (found[4] !== undefined) next.setMinutes(minute + 1);
  else next.setDate(day + 1);
  return { from: from.getTime(), to: next.getTime() - 1 };
}
