import { z } from 'zod';
import { failure, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { createCappedOutput } from '../capped-output.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { createBackends, termsOf, type BackendParts } from './backends.ts';
import type { PythonDescription } from './contract.ts';
import { describeTool, inputSchema } from './description.ts';
import { toResult } from './result.ts';
import { untilAborted } from './until-aborted.ts';

const input = z.object({
  code: z.string().max(10_000_000),
  timeout: z.number().positive().max(3600).optional(),
  session: z.boolean().default(false),
  restart: z.boolean().default(false),
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
    const { code, timeout, session, restart } = input.parse(raw);
    const { executor, describe } = await untilAborted(backends.choose(), context.signal);
    if (!executor)
      return failure(`Python cannot run here, because nothing can keep it in a sandbox. ${describe().reason}`);
    const output = createCappedOutput({ outputs, capBytes: settings().output.capBytes });
    const decoder = new TextDecoder();
    const outcome = await executor.run({
      workspace: context.operator.workspace,
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
    describe: async () => (await backends.choose()).describe(),
    async restart(sessionId) {
      return (await (await backends.choose()).executor?.restart(sessionId)) ?? false;
    },
    async warm(workspace) {
      (await backends.choose()).executor?.warm(workspace);
    },
    [Symbol.asyncDispose]: () => backends[Symbol.asyncDispose](),
  };
}
