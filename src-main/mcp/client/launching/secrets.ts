import type { ServerConfig } from '../../../../src-shared/index.ts';
import { inputsNamedIn, variablesNamedIn, type References } from '../expand.ts';

const SECRET_NAME = /(key|token|secret|passw(or)?d|credential|auth(orization)?|bearer|cookie|dsn|pat)$/i;
const MASK = '***';
/** Shorter values stand in too many words to be taken out of texts. */
const LEAST_LENGTH = 6;

/** True when what has this name is not for everybody's eyes. */
function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The values whose names say that they are secret, also without a scheme in front (`Bearer`). */
export function secretValues(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isSecretName(name) ? [value, value.replace(/^(Bearer|Basic|Token)\s+/i, '')] : [],
  );
}

/** What the references of an entry bring in that is secret: every input, and variables by their name. */
export function referencedSecrets(config: ServerConfig, { env, input }: References): string[] {
  const text = JSON.stringify(config);
  const inputs = inputsNamedIn(text).map((id) => input?.(id));
  const variables = variablesNamedIn(text).map((name) => (isSecretName(name) ? env[name] : undefined));
  return [...inputs, ...variables].filter((value) => value !== undefined);
}

/** A function that takes these values out of a text. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  // The longest first: one may be the beginning of another.
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= LEAST_LENGTH)
    .sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  return (text) => known.reduce((shown, secret) => shown.replaceAll(secret, MASK), text);
}
