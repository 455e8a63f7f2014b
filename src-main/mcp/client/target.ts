import type { ServerConfig, StdioServerConfig } from '../../../src-shared/index.ts';

const MASK = '***';
const SECRET_NAME = /(key|token|secret|passw(or)?d|credential|auth(orization)?|bearer)$/i;
const SECRET_VALUE = /^(sk-|ghp_|gho_|github_pat_|glpat-|xox[abpr]-|AKIA|Bearer\s|eyJ[\w-]+\.)/;

export function isStdio(config: ServerConfig): config is StdioServerConfig {
  return 'command' in config && typeof config.command === 'string';
}

/** Command line or URL as people may see it: as the config has it (`${env:X}` unexpanded), what looks like a secret masked. */
export function describeTarget(config: ServerConfig): string {
  if (!isStdio(config)) return describeUrl(String(config.url));
  return [config.command, ...maskArguments(config.args)].map((word) => quote(word)).join(' ');
}

function maskArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const assignment = /^(-{0,2}[\w.-]+)=(.+)$/s.exec(arg);
    if (assignment?.[1] && SECRET_NAME.test(assignment[1])) return `${assignment[1]}=${maskText(assignment[2] ?? '')}`;
    const before = args[index - 1];
    const named = before?.startsWith('-') && !before.includes('=') && SECRET_NAME.test(before) && !arg.startsWith('-');
    return named || SECRET_VALUE.test(arg) ? maskText(arg) : arg;
  });
}

function describeUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  let shown = text;
  for (const secret of [url.password, ...secretParameters(url)]) {
    if (secret && !isReference(secret)) shown = shown.replaceAll(secret, MASK);
  }
  return shown;
}

function secretParameters(url: URL): string[] {
  // Raw text, not decoded: it is looked for in the URL as it was written.
  return url.search
    .slice(1)
    .split('&')
    .flatMap((pair) => {
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      return SECRET_NAME.test(name) ? [value] : [];
    });
}

/** A reference says where the secret is, not what it is. */
function maskText(value: string): string {
  return isReference(value) ? value : MASK;
}

function isReference(value: string): boolean {
  return /^(\$|%24)(\{|%7B)(env|input):[^}]+(\}|%7D)$/i.test(value);
}

function quote(word: string): string {
  return /^[\w@%+=:,./~${}*-]+$/.test(word) ? word : JSON.stringify(word);
}
