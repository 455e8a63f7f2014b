import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '@xterm/headless';

/** Size of the shell's terminal, and of the one that renders what it wrote. */
export const COLUMNS = 160;
export const ROWS = 50;
/** Lines beyond this are not rendered but stripped: a line of the emulator takes about 2 KB. */
const MOST_LINES = 20_000;

/**
 * What a person would see at the end: escape sequences, carriage returns, backspaces and cursor moves carried out by a
 * terminal emulator. Plain text passes through; invalid UTF-8 becomes U+FFFD.
 */
export async function renderOutput(bytes: Uint8Array): Promise<string> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\r\n', '\n');
  if (isPlain(text)) return text;
  return countLines(text) > MOST_LINES ? strip(text) : await emulate(text);
}

/** True when nothing in it moves a cursor or changes a colour. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if ((code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0)) return false;
  }
  return true;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count + Math.ceil(text.length / COLUMNS);
}

function strip(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  return stripVTControlCharacters(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}

async function emulate(text: string): Promise<string> {
  // Loaded when first needed: most output is plain.
  const { default: xterm } = await import('@xterm/headless');
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: MOST_LINES,
    // The terminal's own translation is off (stty -onlcr), so that plain output needs none.
    convertEol: true,
    allowProposedApi: true,
  });
  try {
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    return screenText(terminal, text.endsWith('\n'));
  } finally {
    terminal.dispose();
  }
}

/** The lines of the buffer, wrapped ones joined again, without the empty rest of the screen. */
function screenText({ buffer }: Terminal, endsLine: boolean): string {
  const { active } = buffer;
  const lines: string[] = [];
  for (let index = 0; index < active.length; index += 1) {
    const line = active.getLine(index);
    if (!line) continue;
    const wraps = active.getLine(index + 1)?.isWrapped ?? false;
    const text = line.translateToString(!wraps);
    if (line.isWrapped) lines.push(`${lines.pop() ?? ''}${text}`);
    else lines.push(text);
  }
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines.join('\n') + (endsLine && lines.length > 0 ? '\n' : '');
}
