import { z } from 'zod';
import type { ServerConfig } from '../../../../src-shared/index.ts';
import type { Limits } from '../limits.ts';

const seconds = z
  .number()
  .positive()
  .max(7 * 86_400);
const callLimits = z.looseObject({ idleSeconds: seconds.optional(), totalSeconds: seconds.optional() });
/** The key "limits" of a server's entry. */
const serverLimits = callLimits.extend({
  startSeconds: seconds.optional(),
  listSeconds: seconds.optional(),
  tools: z.record(z.string(), callLimits).optional(),
});

/** The limits of one server, and of its tools. */
export interface ServerLimits {
  readonly limits: Limits;
  callOf(tool: string): Pick<Limits, 'callIdleMs' | 'callTotalMs'>;
  /** What is wrong with the entry's own, in a sentence; they are then not used. */
  readonly problem?: string;
}

/** The general limits with what the entry of a server says instead. */
export function limitsOf(config: ServerConfig, general: Limits): ServerLimits {
  const wanted = config['limits'];
  if (wanted === undefined) return { limits: general, callOf: () => general };
  const parsed = serverLimits.safeParse(wanted);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    const problem = `Its "limits" are not used: ${where || 'they'} must be numbers of seconds above 0.`;
    return { limits: general, callOf: () => general, problem };
  }
  const { startSeconds, listSeconds, tools = {}, ...own } = parsed.data;
  const limits: Limits = {
    ...general,
    ...callMs(own, general),
    connectMs: milliseconds(startSeconds) ?? general.connectMs,
    listMs: milliseconds(listSeconds) ?? general.listMs,
  };
  return {
    limits,
    callOf: (tool) => {
      const special = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
      return special ? callMs(special, limits) : limits;
    },
  };
}

function callMs(
  { idleSeconds, totalSeconds }: z.infer<typeof callLimits>,
  general: Pick<Limits, 'callIdleMs' | 'callTotalMs'>,
): Pick<Limits, 'callIdleMs' | 'callTotalMs'> {
  return {
    callIdleMs: milliseconds(idleSeconds) ?? general.callIdleMs,
    callTotalMs: milliseconds(totalSeconds) ?? general.callTotalMs,
  };
}

function milliseconds(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1000);
}
