import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Where version managers and installers keep programs such as `npx` and `uvx`, beside what PATH says: desktops start apps with a
 * PATH that knows none of them. Newest version first; only folders that are there.
 */
export function managerFolders(home: string, env: NodeJS.ProcessEnv, platform = process.platform): string[] {
  const at = (...parts: string[]): string => path.join(home, ...parts);
  const versions = (root: string, ...below: string[]): string[] =>
    newestFirst(list(root)).map((version) => path.join(root, version, ...below));
  const fnm = [env['FNM_DIR'], at('.local/share/fnm'), at('.fnm'), at('Library/Application Support/fnm')];
  const found = [
    ...[at('.local/bin'), at('bin'), at('.cargo/bin'), at('.bun/bin'), at('.deno/bin'), at('.local/share/pnpm')],
    ...[path.join(env['VOLTA_HOME'] ?? at('.volta'), 'bin'), at('.asdf/shims'), at('.local/share/mise/shims')],
    ...[at('.pyenv/shims'), at('.pyenv/bin'), at('.nodenv/shims'), at('.proto/shims'), at('.pixi/bin')],
    ...(env['NVM_BIN'] ? [env['NVM_BIN']] : []),
    ...versions(path.join(env['NVM_DIR'] ?? at('.nvm'), 'versions', 'node'), 'bin'),
    ...fnm.flatMap((root) => (root ? versions(path.join(root, 'node-versions'), 'installation', 'bin') : [])),
    ...versions(at('.local/share/mise/installs/node'), 'bin'),
    ...versions(at('.asdf/installs/nodejs'), 'bin'),
    ...versions(at('n/n/versions/node'), 'bin'),
    ...systemFolders(env, platform),
  ];
  return [...new Set(found)].filter((folder) => list(folder).length > 0);
}

function systemFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'win32') {
    const [roaming, local, programs] = [env['APPDATA'], env['LOCALAPPDATA'], env['PROGRAMFILES']];
    return [
      ...(roaming ? [path.join(roaming, 'npm'), path.join(roaming, 'uv', 'bin')] : []),
      ...(local ? [path.join(local, 'Programs', 'Python', 'Launcher'), path.join(local, 'Volta', 'bin')] : []),
      ...(programs ? [path.join(programs, 'nodejs')] : []),
    ];
  }
  const brew = ['/opt/homebrew/bin', '/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin'];
  return [...brew, ...(platform === 'darwin' ? ['/opt/local/bin'] : ['/snap/bin'])];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `v22.1.0` before `v8.9.1`. */
function newestFirst(names: readonly string[]): string[] {
  const numeric = new Intl.Collator('en', { numeric: true });
  return [...names].sort((a, b) => numeric.compare(b, a));
}
