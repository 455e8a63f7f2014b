import { CausewayError } from '../../../src-shared/index.ts';

const REFERENCE = /\$\{env:([^}]+)\}/g;

/**
 * Replaces each `${env:NAME}` by that environment variable.
 * @throws CausewayError `bad_input` naming a variable that is not set.
 */
export function expandText(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(REFERENCE, (_reference, name: string) => {
    const value = env[name];
    if (value !== undefined) return value;
    throw new CausewayError('bad_input', `The environment variable ${name}, which the config names, is not set.`, {
      hint: 'Set it before starting Causeway, or write the value into the config file.',
    });
  });
}

/** {@link expandText} for each item. */
export function expandList(items: readonly string[], env: NodeJS.ProcessEnv): string[] {
  return items.map((item) => expandText(item, env));
}

/** {@link expandText} for each value; names stay as they are. */
export function expandValues(values: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expandText(value, env)]));
}
