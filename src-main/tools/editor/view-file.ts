import { isAscii } from 'node:buffer';
import { pathToFileURL } from 'node:url';
import { CausewayError, embedded, image, success, text, type ToolResult } from '../../../src-shared/index.ts';
import type { FileStat } from '../../operator/index.ts';
import { decodeText, detectEncoding, markLength, unitWidth } from '../../platform/index.ts';
import type { ToolContext } from '../contract.ts';
import { fileType } from './file-type.ts';
import { countLines, readLines, type LineSource, type LineWindow } from './lines-of-file.ts';
import { MAX_LINE_LENGTH, numberLines } from './numbered.ts';
import { countPdfPages } from './pdf-pages.ts';
import { KEPT_BYTES, type SeenFiles } from './seen.ts';

/** Bytes that tell what a file is; of a file that is kept as seen all are read, and one more tells that there are none. */
const HEAD_BYTES = 64 * 1024;
const WHOLE_BYTES = KEPT_BYTES + 1;
/** The largest image or document that is passed on, in bytes. */
const MAX_MEDIA_BYTES = 10 * 1024 * 1024;

/** A line that is not shown whole. */
const LONG_LINE = new RegExp(`[^\\n]{${MAX_LINE_LENGTH + 1}}`);

/** Shows a file: text as numbered lines, an image as an image, and says what anything else is. */
export async function viewFile(
  seen: SeenFiles,
  context: ToolContext,
  path: string,
  stat: FileStat,
  range: readonly [number, number] | undefined,
): Promise<ToolResult> {
  const { files } = context.operator;
  const length = stat.size <= KEPT_BYTES ? WHOLE_BYTES : HEAD_BYTES;
  const head = await files.read(path, { offset: 0, length });
  const whole = stat.size <= KEPT_BYTES && head.length <= KEPT_BYTES;
  seen.note(context, path, { stamp: stat.stamp, bytes: whole ? head : undefined });
  const type = fileType(head);
  if (type?.kind === 'image') return viewImage(context, path, stat, type.mimeType);
  if (type?.kind === 'pdf') return viewPdf(context, path, stat, type.mimeType);
  const encoding = type ? undefined : detectEncoding(head, { part: stat.size > head.length });
  if (encoding === undefined) {
    const name = type?.kind === 'binary' ? type.name : 'binary file';
    return success(`${path} is a ${name} of ${stat.size} bytes; there is no text to show.`);
  }
  const start = markLength(head, encoding);
  // Files in /proc say that they are empty and are not.
  const size = Math.max(stat.size, head.length);
  const source: LineSource = { files, path, encoding, size, start, signal: context.signal };
  const window = await findWindow(source, range);
  if (!window) return success(`${path} is empty.`);
  // A long file may begin with plain ASCII and go on in anything: what is shown tells then.
  const ascii = encoding === 'utf8' && isAscii(head);
  const shownIn = (ascii ? detectEncoding(window.bytes, { part: true }) : undefined) ?? encoding;
  const shown = decodeText(window.bytes, shownIn);
  const isOpen = window.cut && !shown.endsWith('\n');
  const lines = numberLines(shown, window.first, { isOpen });
  const note = describeWindow(source, window, { lines, isOpen, isLong: LONG_LINE.test(shown) });
  return success(lines, note === undefined ? {} : { system: note });
}

async function viewImage(
  { operator }: ToolContext,
  path: string,
  stat: FileStat,
  mimeType: string,
): Promise<ToolResult> {
  if (stat.size > MAX_MEDIA_BYTES) {
    return success(`${path} is an image (${mimeType}) of ${stat.size} bytes; that is too large to show.`);
  }
  const bytes = await operator.files.read(path);
  return success([image(Buffer.from(bytes).toString('base64'), mimeType)]);
}

/** The document itself, and in words what it is: not every model takes documents. */
async function viewPdf({ operator }: ToolContext, path: string, stat: FileStat, mimeType: string): Promise<ToolResult> {
  if (stat.size > MAX_MEDIA_BYTES) {
    return success(`${path} is a PDF document of ${stat.size} bytes; that is too large to pass on.`);
  }
  const bytes = await operator.files.read(path);
  const pages = countPdfPages(bytes);
  const length = pages === undefined ? '' : ` of ${pages} ${pages === 1 ? 'page' : 'pages'},`;
  return success([
    text(
      `${path} is a PDF document${length === '' ? ' of' : length} ${bytes.length} bytes. If you can not read it, take its text out with a program.`,
    ),
    embedded(pathToFileURL(path).href, mimeType, Buffer.from(bytes).toString('base64')),
  ]);
}

/** The lines asked for, clamped to what the file has; undefined for an empty file. */
async function findWindow(
  source: LineSource,
  range: readonly [number, number] | undefined,
): Promise<LineWindow | undefined> {
  const [first, last] = range ?? [1, -1];
  const total = first < 0 || last < -1 ? await countLines(source) : undefined;
  const from = Math.max(1, fromEnd(first, total));
  const to = last === -1 ? Infinity : fromEnd(last, total);
  if (to < from) {
    throw new CausewayError('bad_input', `view_range [${first}, ${last}] ends before it begins.`, {
      hint: 'Give the first and the last line, for example [11, 40], or -1 as last for the end.',
    });
  }
  const window = await readLines(source, from, to);
  if (window) return window;
  const lines = await countLines(source);
  return lines === 0 ? undefined : readLines(source, lines, lines);
}

function fromEnd(line: number, total: number | undefined): number {
  return line < 0 && total !== undefined ? total + line + 1 : line;
}

function describeWindow(
  source: LineSource,
  window: LineWindow,
  { lines, isOpen, isLong }: { lines: string; isOpen: boolean; isLong: boolean },
): string | undefined {
  const last = window.first + (lines === '' ? 0 : lines.split('\n').length - 1);
  const windowed = describeLines(window, last, isOpen);
  return isLong ? [windowed, howToSeeMore(source, last)].filter((note) => note !== undefined).join(' ') : windowed;
}

/** Lines are what a view goes by: what stands far out in one is for a program. */
function howToSeeMore({ path, encoding }: LineSource, line: number): string {
  const cut = `Lines are shown up to character ${MAX_LINE_LENGTH}.`;
  if (unitWidth(encoding) > 1) return `${cut} For more of one read the file with a program.`;
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
  const bytes = `${MAX_LINE_LENGTH + 1}-${2 * MAX_LINE_LENGTH}`;
  return `${cut} For more of one use the shell, for example: sed -n '${line}p' ${quoted} | cut -b ${bytes}`;
}

/** @param isOpen says that the last line goes on beyond the window. */
function describeLines({ first, more, cut, total }: LineWindow, last: number, isOpen: boolean): string | undefined {
  if (isOpen && first === last) {
    return `Line ${first} is longer than what one view holds, so only its beginning is shown. Lines after it, if any: view_range [${first + 1}, -1].`;
  }
  if (cut) {
    const next = isOpen ? last : last + 1;
    return `Shown are lines ${first} to ${last}, which is as much as one view holds. Go on with view_range [${next}, -1].`;
  }
  if (more) return `Shown are lines ${first} to ${last}; more lines follow.`;
  return total !== undefined && first > 1
    ? `Shown are lines ${first} to ${last}; the file has ${total} lines.`
    : undefined;
}
