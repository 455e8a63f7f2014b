import { z } from 'zod';
import { CausewayError, failure, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { createCappedOutput } from '../capped-output.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { createBackends, termsOf, type BackendParts, type Chosen } from './backends.ts';
import type { Installed, PythonDescription } from './contract.ts';
import { describeTool, inputSchema } from './description.ts';
import { MOST_REQUIREMENTS, REQUIREMENT } from './packages/requirement.ts';
import { sourcesOf } from './packages/sources.ts';
import { toResult } from './result.ts';
import { untilAborted } from './until-aborted.ts';

const input = z.object({
  code: z.string().max(10_000_000),
  timeout: z.number().positive().max(3600).optional(),
  session: z.boolean().default(false),
  restart: z.boolean().default(false),
  packages: z.array(z.string().regex(REQUIREMENT)).max(MOST_REQUIREMENTS).default([]),
});

export type PythonToolOptions = BackendParts & { outputs: OutputStore };

/** `python_execute`, and what there is to say about it. */
export interface PythonTool extends Tool, AsyncDisposable {
  /** What Python runs on, found out now if it is not yet known. Never rejects. */
  describe(): Promise<PythonDescription>;
  /** Starts workers for a workspace ahead of time. */
  warm(workspace: string): Promise<void>;
  /** Ends the Python that a session keeps, once its running calls have ended. False when it keeps none. */
  restart(sessionId: string): Promise<boolean>;
}

/** Python in a sandbox: bubblewrap where there is one, WebAssembly elsewhere, never without. Nothing runs before the first use. */
export function createPythonTool(options: PythonToolOptions): PythonTool {
  const { outputs, settings } = options;
  const backends = createBackends(options);

  async function execute(raw: JsonObject, context: ToolContext): Promise<ToolResult> {
    const { code, timeout, session, restart, packages } = input.parse(raw);
    const chosen = await untilAborted(backends.choose(), context.signal);
    const { executor, describe } = chosen;
    if (!executor)
      return failure(`Python cannot run here, because nothing can keep it in a sandbox. ${describe().reason}`);
    const output = createCappedOutput({ outputs, capBytes: settings().output.capBytes });
    const decoder = new TextDecoder();
    const outcome = await executor.run({
      place: { workspace: context.operator.workspace, packages: await installed(chosen, packages, context) },
      ...((session || restart) && { keep: context.sessionId, restart }),
      job: {
        code,
        timeoutMs: (timeout ?? settings().python.timeoutSeconds) * 1000,
        signal: context.signal,
        onOutput(bytes) {
          output.write(bytes);
          context.output.write(decoder.decode(bytes, { stream: true }));
        },
      },
    });
    return toResult(outcome, output.end(), executor.kind);
  }

  /** What the session has installed, and now also this. @throws CausewayError `unavailable` */
  async function installed(
    { packages, describe }: Chosen,
    wanted: readonly string[],
    { sessionId, signal, output }: ToolContext,
  ): Promise<Installed | undefined> {
    const missing = packages ? packages.missing(sessionId, wanted) : wanted;
    const { noPackages } = describe();
    if (missing.length > 0 && noPackages !== undefined) {
      throw new CausewayError(
        'unavailable',
        `The code was not run: packages can not be installed, because ${noPackages}`,
      );
    }
    if (missing.length > 0) {
      const onOutput = (text: string): void => output.write(text);
      await packages?.install({ sessionId, packages: missing, ...sourcesOf(settings()), signal, onOutput });
    }
    return packages?.of(sessionId);
  }

  /** New packages are code of strangers from the network: the person is asked whatever the mode lets go ahead. */
  async function reasonToAsk(raw: JsonObject, sessionId: string): Promise<string | undefined> {
    const wanted = input.parse(raw).packages;
    if (wanted.length === 0) return undefined;
    const { packages, describe } = await backends.choose();
    const missing = packages?.missing(sessionId, wanted) ?? [];
    if (missing.length === 0 || describe().noPackages !== undefined) return undefined;
    const { hosts } = sourcesOf(settings());
    return `It installs ${missing.join(', ')} from ${hosts.join(', ')} for this session.`;
  }

  return {
    name: 'python_execute',
    title: 'Python',
    get description() {
      return describeTool(backends.known, termsOf(settings()));
    },
    inputSchema,
    get annotations() {
      const openWorldHint = termsOf(settings()).hosts.length > 0;
      return { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint };
    },
    origin: { kind: 'builtin' },
    execute,
    reasonToAsk,
    describe: async () => (await backends.choose()).describe(),
    async restart(sessionId) {
      return (await (await backends.choose()).executor?.restart(sessionId)) ?? false;
    },
    async warm(workspace) {
      (await backends.choose()).executor?.warm({ workspace });
    },
    [Symbol.asyncDispose]: () => backends[Symbol.asyncDispose](),
  };
}
