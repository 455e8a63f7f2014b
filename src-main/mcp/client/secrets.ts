import { isStdio } from './target.ts';
import type { ServerConfig } from '../../../src-shared/index.ts';

const SECRET_NAME =
  /(key|token|secret|passw(or)?d|passwd|pwd|credential|auth(orization)?|bearer|cookie|dsn|connection_?string)s?$/i;
const SECRET_VALUE =
  /^(sk-|ghp_|gho_|github_pat_|glpat-|xox[abpr]-|AKIA|Bearer\s|Basic\s|eyJ[\w-]+\.)|:\/\/[^/\s:@]+:[^/\s@]+@/;
const REFERENCE = /\$\{(env|input):[^}]+\}/g;

/** True for a value that people should not see lying about; a reference to where a secret is, is none. */
export function isSecret(name: string, value: string): boolean {
  const rest = value.replace(REFERENCE, '').replace(/^(Bearer|Basic|Token)?\s*$/i, '');
  return rest !== '' && (SECRET_NAME.test(name) || SECRET_VALUE.test(rest));
}

/** Environment variables or headers as people may see them, each as `NAME=value`. */
export function describeValues(config: ServerConfig): string[] {
  const values = isStdio(config) ? config.env : config.headers;
  return Object.entries({ ...values }).map(([name, value]) => `${name}=${isSecret(name, value) ? '***' : value}`);
}
