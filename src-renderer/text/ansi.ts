import { withoutReordering } from '../../src-shared/index.ts';

/** A run of characters in one style. Colours are CSS values. */
export interface Span {
  readonly text: string;
  readonly color?: string;
  readonly background?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

type Style = Omit<Span, 'text'>;

/* SGR ends in m; other control sequences, OSC strings and single-character escapes only move a cursor that a finished text does not have. */
// eslint-disable-next-line no-control-regex -- escape sequences are control characters
const SEQUENCE = /\x1b\[([0-9;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;
// eslint-disable-next-line no-control-regex -- see above
const UNSEEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Terminal output as styled lines: colours and weights of ECMA-48 SGR are kept, a carriage return writes over its line (as
 * progress bars do), everything else that is not text is dropped. For finished text; it is no terminal.
 */
export function ansiLines(output: string): Span[][] {
  let style: Style = {};
  return output.split('\n').map((line) => {
    const visible = afterCarriageReturn(line.replace(/\r$/, ''));
    const spans: Span[] = [];
    let last = 0;
    for (const match of visible.matchAll(SEQUENCE)) {
      push(spans, visible.slice(last, match.index), style);
      last = match.index + match[0].length;
      if (match[1] !== undefined) style = nextStyle(style, match[1]);
    }
    push(spans, visible.slice(last), style);
    return spans;
  });
}

/** Only what the last carriage return left standing. Styles set before it are kept, as a terminal would. */
function afterCarriageReturn(line: string): string {
  const at = line.lastIndexOf('\r');
  if (at < 0) return line;
  const codes = [...line.slice(0, at).matchAll(SEQUENCE)].filter((match) => match[1] !== undefined);
  return codes.map((match) => match[0]).join('') + line.slice(at + 1);
}

function push(spans: Span[], text: string, style: Style): void {
  const clean = withoutReordering(text.replace(UNSEEN, ''));
  if (clean !== '') spans.push({ text: clean, ...style });
}

function nextStyle(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(index + 1));
      next = code === 38 ? withColor(next, color) : withBackground(next, color);
      index += used;
    } else {
      next = applyCode(next, code);
    }
  }
  return next;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 22) return omit(style, 'bold', 'dim');
  if (code === 23) return omit(style, 'italic');
  if (code === 24) return omit(style, 'underline');
  if (code >= 30 && code <= 37) return withColor(style, named(code - 30));
  if (code === 39) return omit(style, 'color');
  if (code >= 40 && code <= 47) return withBackground(style, named(code - 40));
  if (code === 49) return omit(style, 'background');
  if (code >= 90 && code <= 97) return withColor(style, named(code - 82));
  if (code >= 100 && code <= 107) return withBackground(style, named(code - 92));
  return style;
}

function extendedColor(rest: readonly number[]): { color: string | undefined; used: number } {
  if (rest[0] === 5) return { color: indexed(rest[1] ?? 0), used: 2 };
  if (rest[0] === 2) return { color: `rgb(${[1, 2, 3].map((at) => clampByte(rest[at])).join(' ')})`, used: 4 };
  return { color: undefined, used: 0 };
}

/** The 256-colour table: 16 named, a cube of six levels, 24 greys. */
function indexed(index: number): string {
  if (index < 16) return named(index);
  if (index >= 232) {
    const grey = clampByte(8 + (index - 232) * 10);
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}

function named(index: number): string {
  return `var(--ansi-${index})`;
}

function clampByte(value: number | undefined): number {
  return Math.max(0, Math.min(255, Math.round(value ?? 0)));
}

function withColor(style: Style, color: string | undefined): Style {
  return color === undefined ? style : { ...style, color };
}

function withBackground(style: Style, background: string | undefined): Style {
  return background === undefined ? style : { ...style, background };
}

function omit(style: Style, ...keys: (keyof Style)[]): Style {
  return Object.fromEntries(Object.entries(style).filter(([key]) => !keys.some((gone) => gone === key)));
}
