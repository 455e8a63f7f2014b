import path from 'node:path';

/** How a settings file is to be read. */
export type Format = 'json' | 'toml' | 'yaml';

/** Where another program keeps its servers. */
export interface Place {
  app: string;
  /** A short name, for the command line. */
  key: string;
  file: string;
  format: Format;
  /** The folder that paths in it start from, for a file that belongs to one. */
  folder?: string;
}

export interface Surroundings {
  platform: NodeJS.Platform;
  /** The person's home folder. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** Programs keep servers for one folder in that folder, too. */
  workspace: string;
}

/** Every file in which a program that we know would keep its servers here; few of them exist. */
export function placesOf({ platform, home, env, workspace }: Surroundings): Place[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const roaming = env['APPDATA'] || join(home, 'AppData', 'Roaming');
  /** Where desktop programs keep their settings. */
  const desktop =
    platform === 'win32' ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : config;
  const cline = join('User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json');
  const goose =
    platform === 'win32'
      ? join(roaming, 'Block', 'goose', 'config', 'config.yaml')
      : join(config, 'goose', 'config.yaml');
  const place = (app: string, key: string, file: string, format: Format = 'json'): Place => ({
    app,
    key,
    file,
    format,
  });
  const own = (app: string, key: string, ...names: string[]): Place => ({
    ...place(app, key, join(workspace, ...names)),
    folder: workspace,
  });
  return [
    place('Claude Desktop', 'claude-desktop', join(desktop, 'Claude', 'claude_desktop_config.json')),
    place('Claude Code', 'claude-code', join(home, '.claude.json')),
    own('Claude Code', 'claude-code', '.mcp.json'),
    ...['Code', 'Code - Insiders', 'VSCodium'].flatMap((name) => [
      place('VS Code', 'vscode', join(desktop, name, 'User', 'mcp.json')),
      place('VS Code', 'vscode', join(desktop, name, 'User', 'settings.json')),
      place('Cline', 'cline', join(desktop, name, cline)),
    ]),
    own('VS Code', 'vscode', '.vscode', 'mcp.json'),
    place('Cursor', 'cursor', join(home, '.cursor', 'mcp.json')),
    own('Cursor', 'cursor', '.cursor', 'mcp.json'),
    place('Cline', 'cline', join(desktop, 'Cursor', cline)),
    place('Windsurf', 'windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')),
    place('Codex', 'codex', join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'), 'toml'),
    ...['opencode.json', 'opencode.jsonc'].flatMap((name) => [
      place('opencode', 'opencode', join(config, 'opencode', name)),
      own('opencode', 'opencode', name),
    ]),
    place('goose', 'goose', goose, 'yaml'),
    place('Gemini CLI', 'gemini', join(home, '.gemini', 'settings.json')),
    own('Gemini CLI', 'gemini', '.gemini', 'settings.json'),
  ];
}
