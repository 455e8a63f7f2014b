import type { JsonObject } from '../../../../src-shared/index.ts';
import { readEntry } from './read-entry.ts';
import { readJson, type NamedEntry, type Understood } from './read-json.ts';
import { nameFor } from './server-name.ts';

/** Options of the other programs' `mcp add` that take a value. */
const VALUED =
  /^(-e|--env|-t|--transport|-s|--scope|-H|--header|--url|--bearer-token-env-var|--timeout|--description|--client-id|--callback-port|--type|--args|--command)$/;
/** A word that only a shell understands: what follows is another command, or is run by the shell itself. */
const SHELL_ONLY = /^(\||\|\||&|&&|;|>|>>|<|2>|2>&1)$|\$\(|`/;

/** A server from a command line: an `mcp add` of another program, or the very command that starts it. */
export function readCommand(words: readonly string[]): Understood {
  const line = words[0] === '$' || words[0] === '>' ? words.slice(1) : [...words];
  const shell = line.find((word) => SHELL_ONLY.test(word));
  if (shell !== undefined) {
    return nothing(`"${shell}" is for a shell; a server is started without one. Leave it out, or use "sh -c".`);
  }
  const [program = '', second, third] = line;
  const name = program.replace(/\.(exe|cmd)$/i, '');
  if (second === 'mcp' && /^add(-json)?$/.test(third ?? '')) {
    return third === 'add-json' ? readAddJson(line.slice(3)) : readAdd(line.slice(3));
  }
  if (/^(code|code-insiders|codium|cursor)$/.test(name)) return readCode(line.slice(1));
  return readPlain(line);
}

/** `claude mcp add`, `codex mcp add`, `gemini mcp add`: options, a name, and a command or an address. */
function readAdd(words: readonly string[]): Understood {
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const rest: string[] = [];
  const options: Record<string, string> = {};
  for (let at = 0; at < words.length; at += 1) {
    const [word = '', joined] = splitOption(words[at] ?? '');
    if (word === '--') {
      rest.push(...words.slice(at + 1));
      break;
    }
    // Behind the program every word is the program's.
    if (!word.startsWith('-') || (rest.length >= 2 && !isAddress(rest[1]))) {
      rest.push(words[at] ?? '');
      continue;
    }
    if (!VALUED.test(word)) continue;
    const value = joined ?? words[(at += 1)] ?? '';
    if (word === '-e' || word === '--env') {
      addPair(env, value, '=');
      // `--env A=1 B=2` is one option with two values.
      while (/^[A-Za-z_]\w*=/.test(words[at + 1] ?? '')) addPair(env, words[(at += 1)] ?? '', '=');
    } else if (word === '-H' || word === '--header') addPair(headers, value, ':');
    else options[word.replace(/^-t$/, '--transport')] = value;
  }
  const [name = '', target, ...args] = rest;
  const url = options['--url'] ?? (isAddress(target) ? target : undefined);
  const bearer = options['--bearer-token-env-var'];
  const type = options['--transport'] ?? options['--type'];
  if (url === undefined && target === undefined) return nothing('The command to run, or the address, is missing.');
  const entry: JsonObject =
    url === undefined
      ? { command: target ?? '', args, env }
      : { url, headers, ...(type && { type }), ...(bearer && { bearer_token_env_var: bearer }) };
  return one(name, entry);
}

function splitOption(word: string): [string, string?] {
  const joined = /^(--[\w-]+)=(.*)$/s.exec(word);
  return joined ? [joined[1] ?? '', joined[2] ?? ''] : [word];
}

function addPair(pairs: Record<string, string>, text: string, sign: '=' | ':'): void {
  const at = text.indexOf(sign);
  if (at > 0) pairs[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}

/** `claude mcp add-json NAME '{...}'`. */
function readAddJson(words: readonly string[]): Understood {
  const plain = words.filter((word, index) => !word.startsWith('-') && !VALUED.test(words[index - 1] ?? ''));
  const [name, json] = plain;
  if (json === undefined) return nothing('The JSON of the server is missing.');
  return named(name, readJson(json));
}

/** `code --add-mcp '{"name": ..., "command": ...}'`. */
function readCode(words: readonly string[]): Understood {
  const at = words.findIndex((word) => word === '--add-mcp' || word.startsWith('--add-mcp='));
  const json = at < 0 ? undefined : words[at]?.startsWith('--add-mcp=') ? words[at].slice(10) : words[at + 1];
  return json === undefined ? nothing('This is how an editor is started, not a server.') : readJson(json);
}

/** `KEY=value npx ...`, `env KEY=value npx ...`, or only the command. */
function readPlain(words: readonly string[]): Understood {
  const env: Record<string, string> = {};
  const line = words[0] === 'env' ? words.slice(1) : [...words];
  while (/^[A-Za-z_]\w*=/.test(line[0] ?? '')) addPair(env, line.shift() ?? '', '=');
  const [command = '', ...args] = line;
  if (command === '') return nothing('The command to run is missing.');
  return one('', { command, args, env });
}

function one(name: string, entry: JsonObject): Understood {
  const read = readEntry(entry);
  const given = name || ('config' in read ? nameFor(read.config) : 'server');
  return { entries: [{ name: given, ...read }], inputs: [] };
}

/** The only server of a JSON under the name that was said beside it. */
function named(name: string | undefined, read: Understood): Understood {
  const [entry] = read.entries;
  if (!entry || read.entries.length > 1 || !name) return read;
  const renamed: NamedEntry = { ...entry, name };
  return { ...read, entries: [renamed] };
}

function isAddress(word: string | undefined): word is string {
  return word !== undefined && /^https?:\/\//i.test(word);
}

function nothing(problem: string): Understood {
  return { entries: [], inputs: [], problem };
}
