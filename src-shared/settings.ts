import { z } from 'zod';

/** `ask`: everything that changes anything asks. `workspace`: edits inside the workspace, the shell and sandboxed Python go ahead, the rest asks. `full`: nothing asks. */
export const approvalMode = z.enum(['ask', 'workspace', 'full']);
export type ApprovalMode = z.infer<typeof approvalMode>;

/**
 * What keeps shell commands in. `off`: nothing. `workspace-write`: they see the system's programs and the workspace, write to
 * the workspace, and find no keys or other files of the person. `read-only`: the same, and the workspace cannot be changed.
 */
export const shellSandbox = z.enum(['off', 'workspace-write', 'read-only']);
export type ShellSandbox = z.infer<typeof shellSandbox>;

/** A host, or `*.` and a domain for all hosts below it; with `:port`, or for ports 80 and 443. Addresses are hosts, too. */
const allowedHost = z
  .string()
  .max(300)
  .regex(
    /^(\*\.)?([\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+(:\d{1,5})?$|^\[[0-9a-fA-F:.]+\](:\d{1,5})?$/u,
    'must be a host such as "example.org", "*.example.org" or "example.org:8080"',
  )
  .refine((host) => isPort(/:(\d+)$/.exec(host)?.[1]), 'must have a port from 1 to 65535, or none');

function isPort(digits: string | undefined): boolean {
  return digits === undefined || (Number(digits) >= 1 && Number(digits) <= 65_535);
}

/** Whether commands in a sandbox reach the network, or which hosts of it; without a sandbox they reach all of it. */
export const shellNetwork = z.union([z.enum(['on', 'off']), z.array(allowedHost).max(200)]);
export type ShellNetwork = z.infer<typeof shellNetwork>;

/** Whether Python can change the workspace, or only read it. */
export const pythonWorkspace = z.enum(['read-write', 'read-only']);

const MEGABYTE = 1024 * 1024;

/** Everything a person can set. Kept as plain JSON in settings.json; secrets are elsewhere. */
export const settings = z.object({
  model: z
    .object({
      /** OpenAI-compatible endpoint; null means OPENAI_BASE_URL, else OpenAI's own. */
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
      /** Model name; null means CAUSEWAY_MODEL. */
      name: z.string().min(1).nullable().default(null),
    })
    .prefault({}),
  approvals: z.object({ mode: approvalMode.default('workspace') }).prefault({}),
  agent: z.object({ maxSteps: z.number().int().min(1).max(1000).default(50) }).prefault({}),
  shell: z
    .object({
      /** Seconds until a command that still runs is reported as such. */
      timeoutSeconds: z.number().positive().max(86_400).default(120),
      /** Seconds without output after which it is reported too. */
      silenceSeconds: z.number().positive().max(86_400).default(60),
      sandbox: shellSandbox.default('off'),
      network: shellNetwork.default('off'),
    })
    .prefault({}),
  history: z
    .object({
      /** Whether what commands and Python do to the files of the workspace is recorded, so that it can be undone. */
      commands: z.boolean().default(true),
      /** Folders that are left out, by name. */
      exclude: z
        .array(z.string().min(1).max(255))
        .max(200)
        .default(['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__']),
      /** In a workspace with more files than this, or more bytes, commands are not covered; nor is a single larger file. */
      mostFiles: z.number().int().positive().max(1_000_000).default(20_000),
      mostBytes: z
        .number()
        .int()
        .positive()
        .default(512 * MEGABYTE),
      mostFileBytes: z
        .number()
        .int()
        .positive()
        .default(64 * MEGABYTE),
      /** How long edits are kept, and how much of files at most. The newest edit of a file stays. */
      keepDays: z.number().int().positive().max(36_500).default(90),
      keepBytes: z
        .number()
        .int()
        .positive()
        .default(2048 * MEGABYTE),
    })
    .prefault({}),
  python: z
    .object({
      timeoutSeconds: z.number().positive().max(3600).default(30),
      /** Interpreter to use; null looks for the best one. */
      interpreter: z.string().nullable().default(null),
      /** `auto` takes bubblewrap where it works, else WebAssembly. */
      backend: z.enum(['auto', 'bubblewrap', 'wasm']).default('auto'),
      workspace: pythonWorkspace.default('read-write'),
      /** Hosts that code may reach, and none but these. */
      network: z.union([z.literal('off'), z.array(allowedHost).max(200)]).default('off'),
      /** Hosts that packages may be installed from, each time with the person's yes; without any nothing can be installed. */
      packageHosts: z.array(allowedHost).max(200).default([]),
      /** The package index; null is the one that pip takes by itself. */
      packageIndex: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
    })
    .prefault({}),
  output: z
    .object({
      /** Bytes of one tool's text that reach the model: head and tail; the whole is kept. */
      capBytes: z.number().int().min(1_000).max(1_000_000).default(30_000),
    })
    .prefault({}),
  tools: z
    .object({
      /**
       * When the definitions of attached servers' tools take more than this part of a model's window, in percent, the model is
       * given those it used last, and finds the others by a search.
       */
      searchAbovePercent: z.number().min(0).max(100).default(5),
    })
    .prefault({}),
  appearance: z
    .object({
      theme: z.enum(['system', 'light', 'dark']).default('system'),
      language: z.enum(['system', 'en', 'zh-CN']).default('system'),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof settings>;

/** Settings as nothing was set. */
export const defaultSettings: Settings = settings.parse({});
