import path from 'node:path';

/** Pagers and editors that would wait for somebody to press a key. */
const QUIET = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
};

/** Set by the way Causeway itself was started; programs in the person's shell should not see them. */
const OURS = /^(npm_|INIT_CWD$|NODE_OPTIONS$|ELECTRON_|CHROME_DESKTOP$|CAUSEWAY_FAMILY$|COLUMNS$|LINES$)/;

/** The environment of the shell: the person's own, with quiet pagers and editors. `searchPath` replaces PATH. */
export function shellEnvironment(env: NodeJS.ProcessEnv, searchPath: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OURS.test(entry[0]),
  );
  const encoding = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] ? {} : { LANG: 'C.UTF-8' };
  return { ...Object.fromEntries(kept), ...encoding, ...QUIET, TERM: 'xterm-256color', PATH: searchPath };
}

/** PATH without what `npm run` put in front, which would make Causeway's own programs win over the person's. */
export function ownSearchPath(env: NodeJS.ProcessEnv): string {
  const folders = (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(path.delimiter);
  if (env['npm_lifecycle_event'] === undefined) return folders.join(path.delimiter);
  const first = folders.findIndex((folder) => !/[\\/]node_modules[\\/]\.bin$|[\\/]node-gyp-bin$/.test(folder));
  return folders.slice(Math.max(0, first)).join(path.delimiter);
}

/** Two search paths as one, in order, each folder once. */
export function joinSearchPaths(first: string, second: string): string {
  const folders = `${first}${path.delimiter}${second}`.split(path.delimiter);
  return [...new Set(folders.filter(Boolean))].join(path.delimiter);
}
