import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { CausewayError, type ShellNetwork, type StdioServerConfig } from '../../../../src-shared/index.ts';
import { isInside } from '../../../platform/index.ts';
import type { Sandbox, SandboxPolicy } from '../../../sandbox/index.ts';
import { expandText } from '../expand.ts';
import type { Launch } from '../launch.ts';

const texts = z.array(z.string()).default([]);
/** The keys `sandboxEnabled` and `sandbox` of an entry, as VS Code has them. */
const wanted = z.looseObject({
  sandboxEnabled: z.boolean().default(false),
  sandbox: z
    .looseObject({
      filesystem: z.looseObject({ allowWrite: texts, denyRead: texts, denyWrite: texts }).prefault({}),
      network: z.looseObject({ allowedDomains: texts, deniedDomains: texts }).prefault({}),
    })
    .prefault({}),
});

/** What a sandbox for servers is made of; the policy is that of shells. */
export interface ServerSandbox {
  sandbox: Sandbox;
  policy(options: {
    access: 'read-write' | 'read-only';
    network: ShellNetwork;
    workspace: string;
    homes: readonly [string, ...string[]];
    searchPath: string;
    dataFolder: string;
    shared: NonNullable<SandboxPolicy['shared']>;
  }): Omit<SandboxPolicy, 'env'>;
  /** Without variables that hold keys or lead out of the sandbox. */
  withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string>;
  /** Causeway's own folder: no sandbox shows it. */
  dataFolder: string;
}

/** True for an entry whose server is to run in a sandbox. */
export function isSandboxed(config: StdioServerConfig): boolean {
  return config['sandboxEnabled'] === true;
}

/**
 * Puts launches into a sandbox whose entry says so: the server sees the system's programs, its own program and its folder, writes
 * where the entry allows it, reaches the hosts that the entry names, and finds no other file of the person.
 */
export function createConfinement(
  parts: ServerSandbox | undefined,
  workspace: string | undefined,
): (config: StdioServerConfig, launch: Launch) => Launch {
  return (config, launch) => {
    if (!isSandboxed(config)) return launch;
    if (!parts) throw refused('there is no sandbox in this program');
    const rules = readRules(config, workspace);
    return { ...launch, confine: (folder) => enclose(config, launch, { rules, folder, parts }) };
  };
}

interface Rules {
  allowWrite: string[];
  denyRead: string[];
  denyWrite: string[];
  domains: string[];
}

/** @throws CausewayError `refused` for rules that could not be kept. */
function readRules(config: StdioServerConfig, workspace: string | undefined): Rules {
  const parsed = wanted.safeParse(config);
  if (!parsed.success) throw refused(`"${parsed.error.issues[0]?.path.join('.') ?? 'sandbox'}" is not right`);
  const { filesystem, network } = parsed.data.sandbox;
  const places = (list: readonly string[]): string[] => list.map((place) => resolvePlace(place, workspace));
  const rules = {
    allowWrite: places(filesystem.allowWrite),
    denyRead: places(filesystem.denyRead),
    denyWrite: places(filesystem.denyWrite),
    domains: network.allowedDomains,
  };
  const open = rules.denyRead.find((place) => rules.allowWrite.some((folder) => isInside(place, folder)));
  if (open) throw refused(`${open} is to be hidden and lies in a folder that may be written to`);
  const reached = network.deniedDomains.find((domain) => rules.domains.some((rule) => covers(rule, domain)));
  if (reached) throw refused(`${reached} is denied and allowed at once; name the allowed hosts one by one`);
  return rules;
}

async function enclose(
  config: StdioServerConfig,
  launch: Launch,
  { rules, folder, parts }: { rules: Rules; folder: string; parts: ServerSandbox },
): ReturnType<NonNullable<Launch['confine']>> {
  const { sandbox, dataFolder } = parts;
  const network: ShellNetwork = rules.domains.length > 0 ? rules.domains : 'off';
  const missing = rules.allowWrite.find((place) => !existsSync(place));
  if (missing) throw refused(`${missing}, which it may write to, does not exist`);
  const cwd = realpathSync(launch.cwd);
  const way = Array.isArray(network)
    ? sandbox.wayOut({ folder, rules: network, setting: 'sandbox.network' })
    : undefined;
  const writable = rules.allowWrite.map((place) => realpathSync(place));
  const policy = parts.policy({
    access: writable.some((place) => isInside(cwd, place)) ? 'read-write' : 'read-only',
    ...{ network, workspace: cwd, dataFolder, homes: [homedir()], searchPath: launch.env['PATH'] ?? '' },
    shared: [
      ...ownPlaces(launch).map((place) => ({ path: place, access: 'read-only' as const })),
      ...writable.filter((place) => place !== cwd).map((place) => ({ path: place, access: 'read-write' as const })),
      ...rules.denyWrite
        .filter(existsSync)
        .map((place) => ({ path: realpathSync(place), access: 'read-only' as const })),
      ...(way?.shared ?? []),
    ],
  });
  const env = {
    ...parts.withoutSecrets(launch.env),
    // Keys that its own entry gives it are what it is for.
    ...Object.fromEntries(
      Object.keys(config.env).flatMap((key) => (launch.env[key] === undefined ? [] : [[key, launch.env[key]]])),
    ),
    ...way?.env,
  };
  const closed = await sandbox
    .forTerminal({ ...policy, hidden: [...policy.hidden, ...rules.denyRead] })
    .catch((cause: unknown) => {
      throw refused(
        cause instanceof CausewayError ? `${cause.message} ${cause.hint ?? ''}`.trim() : String(cause),
        cause,
      );
    });
  const proxy = await way?.open();
  const argv = way
    ? ([...way.starter, launch.file, ...launch.args] as const)
    : ([launch.file, ...launch.args] as const);
  const program = closed.enclose({ argv, cwd, env, folder });
  const [file, ...args] = program.argv;
  return { file, args, cwd: '/', env: program.env, dispose: async () => proxy?.[Symbol.asyncDispose]() };
}

/**
 * What the server itself consists of, as far as its command line tells: the folder of its program, and of each file that is an
 * argument, up to the package it is part of. Never a home folder, or anything above one.
 */
function ownPlaces({ file, args, cwd }: Launch): string[] {
  const real = existsSync(file) ? [realpathSync(file)] : [];
  const named = args
    .filter((arg) => path.isAbsolute(arg) && existsSync(arg))
    .map((arg) => realpathSync(arg))
    .map((place) => packageOf(place) ?? place);
  const programs = [file, ...real].flatMap((place) => packageOf(place) ?? path.dirname(place));
  const system = /^\/(usr|bin|sbin|lib\w*|etc|proc|sys|dev)(\/|$)/;
  return [...new Set([...programs, ...named])].filter(
    (place) => !system.test(place) && !isInside(homedir(), place) && !isInside(cwd, place) && !isInside(place, cwd),
  );
}

/** The folder that holds `node_modules`, a package or a virtual environment around a file. */
function packageOf(file: string): string | undefined {
  const at = file.indexOf(`${path.sep}node_modules${path.sep}`);
  if (at > 0) return file.slice(0, at + `${path.sep}node_modules`.length);
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (isInside(homedir(), folder)) return undefined;
    if (['package.json', 'pyproject.toml', 'pyvenv.cfg'].some((name) => existsSync(path.join(folder, name))))
      return folder;
  }
  return undefined;
}

function resolvePlace(place: string, workspace: string | undefined): string {
  const expanded = expandText(place, { env: process.env, workspace });
  const full = expanded === '~' || expanded.startsWith('~/') ? path.join(homedir(), expanded.slice(1)) : expanded;
  return path.resolve(workspace ?? homedir(), full);
}

/** True when a rule such as `*.example.com` lets this domain through. */
function covers(rule: string, domain: string): boolean {
  const plain = domain.replace(/^\*\./, '');
  return rule === domain || (rule.startsWith('*.') && (plain.endsWith(rule.slice(1)) || plain === rule.slice(2)));
}

function refused(why: string, cause?: unknown): CausewayError {
  return new CausewayError(
    'refused',
    `It must run in a sandbox ("sandboxEnabled"), and that can not be done here: ${why}.`,
    {
      hint: 'Mend its "sandbox" keys, or take "sandboxEnabled" out of its entry to let it do what you can do.',
      cause,
    },
  );
}
