import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { ShellNetwork } from '../../../src-shared/index.ts';
import { isInside } from '../../platform/index.ts';
import type { SandboxPolicy } from '../../sandbox/index.ts';

/*
 * A security boundary: what a shell in a sandbox sees of this machine. Whatever is not named here is not there, the person's home
 * folder above all: of it only programs are shown.
 *
 * It does NOT protect against: secrets in the workspace itself; what the person later runs from the workspace, other than the
 * protected entries (a repository that a command makes anew is obeyed); with the network on, services that listen on this machine.
 */

const MEGABYTE = 1024 * 1024;

/** Beside /usr: where systems and package managers keep programs. */
const PROGRAM_FOLDERS = ['/opt', '/nix', '/snap', '/home/linuxbrew/.linuxbrew', '/run/current-system'];

/** Settings of the system that programs need and that hold no secrets. */
const SYSTEM_SETTINGS = [
  ...['ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls/certs', 'pki/ca-trust', 'crypto-policies'],
  ...['nsswitch.conf', 'hosts', 'host.conf', 'resolv.conf', 'gai.conf', 'services', 'protocols', 'networks'],
  ...['os-release', 'debian_version', 'lsb-release', 'redhat-release', 'alpine-release', 'timezone', 'locale.conf'],
  ...['profile', 'profile.d', 'bash.bashrc', 'bashrc', 'inputrc', 'terminfo', 'gitconfig', 'gitattributes', 'magic'],
  ...['ld.so.conf', 'ld.so.conf.d', 'perl', 'python3', 'python3.11', 'python3.12', 'python3.13', 'maven', 'R'],
  ...['java-17-openjdk', 'java-21-openjdk', 'vim', 'nanorc', 'wgetrc', 'man_db.conf', 'papersize', 'npmrc'],
].map((name) => `/etc/${name}`);

/** In a home folder: programs, and settings without secrets. */
const HOME_PROGRAMS = [
  ...[
    '.local/bin',
    '.local/lib',
    '.local/share/pnpm',
    '.local/share/uv',
    '.local/share/pipx',
    '.local/share/mise',
    'bin',
  ],
  ...['.nvm', '.fnm', '.volta', '.bun/bin', '.deno/bin', '.pyenv', '.rbenv', '.asdf', '.sdkman', '.jenv', '.nodenv'],
  ...['.cargo/bin', '.cargo/registry', '.rustup', '.ghcup', 'go/bin', 'go/pkg', '.dotnet', '.juliaup', '.poetry/bin'],
  ...['miniconda3', 'anaconda3', 'miniforge3', '.gitconfig', '.config/git/config', '.config/git/ignore'],
];

/** In a home folder that is itself visible, because the workspace is around it: what holds keys, passwords and histories. */
const HOME_SECRETS = [
  ...[
    '.ssh',
    '.aws',
    '.gnupg',
    '.azure',
    '.kube',
    '.docker',
    '.config/gcloud',
    '.config/gh',
    '.config/op',
    '.config/sops',
  ],
  ...[
    '.netrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.git-credentials',
    '.config/git/credentials',
    '.pgpass',
    '.my.cnf',
  ],
  ...[
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.gem/credentials',
    '.terraform.d',
    '.vault-token',
    '.boto',
    '.s3cfg',
  ],
  ...[
    '.password-store',
    '.local/share/keyrings',
    '.local/share/kwalletd',
    '.config/rclone',
    '.config/hub',
    '.m2/settings.xml',
  ],
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/Code'],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
  ...['.config/1Password', '.config/Bitwarden', '.config/doctl', '.config/configstore', '.gradle/gradle.properties'],
];

/** What git and editors obey outside; each stays as it is. */
const PROTECTED_ENTRIES = ['.git/hooks', '.git/config', '.vscode', '.idea'];

/** Names of variables that hold keys. */
const SECRET_NAME =
  /(^|_)(KEY|KEYS|APIKEY|TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|DSN)(_|$)/i;
/** Ways to agents and buses that would do things for a program outside of the sandbox. */
const SOCKET_NAME =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|XAUTHORITY|DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR)$/;

export interface ShellPolicyOptions {
  access: 'read-write' | 'read-only';
  network: ShellNetwork;
  workspace: string;
  /** Home folders: the one the shell has, and the real one. The first is the shell's. */
  homes: readonly [string, ...string[]];
  searchPath: string;
  /** Causeway's own folder. */
  dataFolder: string;
  shared: NonNullable<SandboxPolicy['shared']>;
}

/** What stays as it is, and what stays out of sight, in a workspace of any sandbox that a model works in. */
export function keptFromSandboxes({ homes, dataFolder }: Pick<ShellPolicyOptions, 'homes' | 'dataFolder'>): {
  protectedEntries: readonly string[];
  hidden: readonly string[];
} {
  const secrets = homes.flatMap((home) => HOME_SECRETS.map((name) => path.join(home, name)));
  return { protectedEntries: PROTECTED_ENTRIES, hidden: [...secrets, dataFolder] };
}

/** The policy of a shell. Looks at what is there, and so costs a few dozen looks at the disk. */
export function shellPolicy(options: ShellPolicyOptions): Omit<SandboxPolicy, 'env'> {
  const { access, network, workspace, homes, searchPath, shared } = options;
  const [home] = homes;
  const inHomes = (names: readonly string[]): string[] =>
    homes.flatMap((one) => names.map((name) => path.join(one, name)));
  const account = `:x:1000:1000::${home}:/bin/bash\n`;
  return {
    root: 'minimal',
    workspace: { path: workspace, access },
    ...keptFromSandboxes(options),
    readable: existing([
      ...[...PROGRAM_FOLDERS, ...SYSTEM_SETTINGS, ...inHomes(HOME_PROGRAMS)],
      // A folder right below the root holds more than programs.
      ...searchPath.split(':').filter((folder) => /^\/.+\/./.test(folder)),
    ]).filter((entry) => !isInside(entry, workspace) && !homes.some((one) => isInside(one, entry))),
    shared,
    home,
    files: { '/etc/passwd': `agent${account}`, '/etc/group': 'agent:x:1000:\n' },
    network: Array.isArray(network) ? 'sockets' : network === 'on' ? 'host' : 'none',
    sizes: { temporary: 1024 * MEGABYTE, sharedMemory: 256 * MEGABYTE, home: 512 * MEGABYTE },
  };
}

/** Without variables that hold keys or lead out of the sandbox. */
export function withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_NAME.test(name) && !SOCKET_NAME.test(name)));
}

/** Full paths that are there, at their own place and where links lead; none twice, none inside of the system's own folders. */
function existing(paths: readonly string[]): string[] {
  const there = paths
    .filter((one) => path.isAbsolute(one) && existsSync(one))
    .flatMap((one) => [path.normalize(one).replace(/(.)\/$/, '$1'), realpathSync(one)]);
  return [...new Set(there)].filter(
    (one) => one !== '/' && !/^\/(usr|bin|sbin|lib|lib32|lib64|proc|sys|dev)(\/|$)/.test(one),
  );
}
