import type { ApprovalMode } from '../../src-shared/index.ts';
import type { Approvals, Desk, PendingCall, Verdict } from './contract.ts';
import { judge } from './policy.ts';

/**
 * Decides every tool call by the policy, and asks the person where it says so. What the person allowed for a session is
 * remembered per tool until the program ends.
 */
export function createApprovals({
  mode,
  yesToAll = false,
  desk,
  canAsk,
}: {
  mode: () => ApprovalMode;
  /** The person said yes to everything beforehand (`--yes`), also to what asks in every mode. */
  yesToAll?: boolean;
  desk: Desk;
  /** False where nobody can be asked: what would ask is refused with the way out. */
  canAsk: () => boolean;
}): Approvals {
  const allowedForSession = new Set<string>();

  async function decide(call: PendingCall): Promise<Verdict> {
    if (yesToAll) return { allowed: true, input: call.input, byPerson: false };
    const { caller, tool, outsidePath, special, wanted } = call;
    const opinion = judge({
      ...{ mode: mode(), caller, tool },
      ...(outsidePath !== undefined && { outsidePath }),
      ...(special !== undefined && { special }),
      ...(wanted && { wanted }),
    });
    const key = keyOf(call.sessionId, tool.name, outsidePath ?? special);
    if (!opinion.ask) return { allowed: true, input: call.input, byPerson: false };
    if (!opinion.eachTime && allowedForSession.has(key)) return { allowed: true, input: call.input, byPerson: true };
    if (!canAsk()) return { allowed: false, reason: refusal(opinion) };
    const answer = await desk.approve(call, opinion.reason, opinion.eachTime);
    if (answer.decision === 'deny') {
      return {
        allowed: false,
        reason: answer.message ? `The person said no: ${answer.message}` : 'The person said no.',
      };
    }
    if (answer.decision === 'allow_session' && !opinion.eachTime) allowedForSession.add(key);
    return { allowed: true, input: answer.input ?? call.input, byPerson: true };
  }

  return {
    decide,
    allowForSession: (sessionId, toolName) => void allowedForSession.add(keyOf(sessionId, toolName)),
  };
}

function keyOf(sessionId: string, toolName: string, what?: string): string {
  return JSON.stringify([sessionId, toolName, what ?? null]);
}

function refusal({ reason, eachTime }: { reason: string; eachTime?: true }): string {
  const way = eachTime ? '.' : ', or set "approvals.mode" to "full" in the settings.';
  return `${reason} It needs a yes, and nobody can be asked here. Run again with --yes${way}`;
}
