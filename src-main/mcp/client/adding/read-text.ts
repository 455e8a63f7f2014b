import { readCommand } from './read-command.ts';
import { readEntry } from './read-entry.ts';
import { readJson, type Understood } from './read-json.ts';
import { readLink } from './read-link.ts';
import { nameFor } from './server-name.ts';
import { shellWords } from './shell-words.ts';

const LONGEST = 1_000_000;

/**
 * Servers from whatever a person found in a README: JSON (with or without the outer key, comments, code fences), an install
 * link, the line that adds it to another program, the bare command, or an address. Nothing is run.
 */
export function readText(text: string): Understood {
  if (text.length > LONGEST) return nothing('This is too long to be the settings of a server.');
  const bare = withoutFence(text).trim();
  if (bare === '') return nothing('There is nothing in it.');
  if (/^[{["]|^\/[/*]/.test(bare)) return readJson(bare);
  if (!/\s/.test(bare)) {
    const link = readLink(bare);
    if (link) return link;
    if (/^https?:\/\//i.test(bare)) return readAddress(bare);
  }
  const lines = bare.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const words = shellWords(lines.join('\n'));
  if (!words) return nothing('A quote in this command is not closed.');
  return readLines(lines) ?? readCommand(words);
}

/** Several lines are several commands, unless one goes on in the next. */
function readLines(lines: readonly string[]): Understood | undefined {
  if (lines.length < 2 || lines.some((line) => /[\\`^]\s*$/.test(line))) return undefined;
  const commands = lines.map((line) => shellWords(line));
  if (!commands.every((words) => words !== undefined)) return undefined;
  const read = commands.map((words) => readCommand(words));
  return { entries: read.flatMap(({ entries }) => entries), inputs: [], ...pickProblem(read) };
}

function pickProblem(read: readonly Understood[]): { problem?: string } {
  const problem = read.find((item) => item.problem !== undefined)?.problem;
  return problem === undefined ? {} : { problem };
}

function readAddress(url: string): Understood {
  const read = readEntry({ url });
  return { entries: [{ name: 'config' in read ? nameFor(read.config) : 'server', ...read }], inputs: [] };
}

/** What stands in the first code fence, or all of it. */
function withoutFence(text: string): string {
  const fenced = /(?:^|\n)[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n[ \t]*\1/.exec(text);
  return fenced?.[2] ?? text.replace(/^\s*`([^`]+)`\s*$/, '$1');
}

function nothing(problem: string): Understood {
  return { entries: [], inputs: [], problem };
}
