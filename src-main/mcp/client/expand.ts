import { homedir } from 'node:os';
import { CausewayError } from '../../../src-shared/index.ts';

const REFERENCE = /\$\{(?:(env|input):([^}]+)|(workspaceFolder|userHome))\}/g;
const VARIABLE = /\$\{env:([^}]+)\}/g;
const INPUT = /\$\{input:([^}]+)\}/g;

/** Where the values of references come from. */
export interface References {
  env: NodeJS.ProcessEnv;
  /** What the person gave for an input of the config file; nothing is kept of one that was never asked for. */
  input?: ((id: string) => string | undefined) | undefined;
  workspace?: string | undefined;
}

/**
 * Replaces each `${env:NAME}`, `${input:ID}`, `${workspaceFolder}` and `${userHome}`.
 * @throws CausewayError `bad_input` naming a variable that is not set, or an input that the person has not given yet.
 */
export function expandText(text: string, references: References): string {
  return text.replace(REFERENCE, (_reference, kind: string | undefined, name: string, place: string | undefined) => {
    if (place === 'userHome') return homedir();
    if (place === 'workspaceFolder') return references.workspace ?? process.cwd();
    const value = kind === 'env' ? references.env[name] : references.input?.(name);
    if (value !== undefined) return value;
    throw kind === 'env' ? variableMissing(name) : inputMissing(name);
  });
}

/** {@link expandText} for each item. */
export function expandList(items: readonly string[], references: References): string[] {
  return items.map((item) => expandText(item, references));
}

/** {@link expandText} for each value; names stay as they are. */
export function expandValues(values: Readonly<Record<string, string>>, references: References): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expandText(value, references)]));
}

/** The inputs that a text names, each once. */
export function inputsNamedIn(text: string): string[] {
  return [...new Set([...text.matchAll(INPUT)].map(([, id = '']) => id))];
}

/** The environment variables that a text names, each once. */
export function variablesNamedIn(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

function variableMissing(name: string): CausewayError {
  return new CausewayError('bad_input', `The environment variable ${name}, which the config names, is not set.`, {
    hint: 'Set it before starting Causeway, or write the value into the config file.',
  });
}

function inputMissing(id: string): CausewayError {
  return new CausewayError('bad_input', `It needs the value of "${id}", which was not given yet.`, {
    hint: `Enter it on the Servers page, or with "causeway servers input ${id}".`,
  });
}
