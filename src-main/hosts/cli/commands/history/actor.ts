import type { EditView } from '../../../../../src-shared/index.ts';

/** An undo by a person stands in the session whose edit it takes back. */
export function actorFor({ sessionId }: Pick<EditView, 'sessionId'>): {
  sessionId: string;
  caller: { kind: 'person' };
} {
  return { sessionId, caller: { kind: 'person' } };
}
