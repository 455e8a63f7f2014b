import { failure, text, type StoredResult, type ToolResult } from '../../src-shared/index.ts';
import type { Desk, PendingResult } from '../approvals/index.ts';

export interface HoldParts {
  desk: Desk;
  /** As much of a result as a model would get of it. */
  bound(result: ToolResult): ToolResult;
  store(result: ToolResult): StoredResult;
}

/**
 * What becomes of a result that the person reads before anybody else: it is passed on, or with the person's own words in the
 * place of all its text, or withheld.
 * @throws CausewayError `unavailable` when nobody can be asked; the signal's reason when the call ends first.
 */
export async function holdResult(
  { desk, bound, store }: HoldParts,
  at: PendingResult,
  whole: ToolResult,
): Promise<ToolResult> {
  const shown = bound(whole);
  const answer = await desk.hold(at, store(shown));
  switch (answer.decision) {
    case 'pass':
      return at.caller.kind === 'app' ? whole : shown;
    case 'withhold':
      return failure('The call has run. The person read its result and does not pass it on.');
    case 'edit': {
      // Structured content, links and files say in other ways what the person took out.
      const media = whole.content.filter(({ type }) => type === 'image' || type === 'audio');
      return {
        content: [text(answer.text), ...media],
        isError: whole.isError,
        system: 'The person read this result first, and changed it.',
      };
    }
  }
}
