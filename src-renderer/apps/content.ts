/** Characters of what a view says to the person or the model. */
const LONGEST_TEXT = 8000;

/** The text in what a view says: its text parts, then its data as JSON. Other parts are named. Cut where it is too long. */
export function readText(said: {
  content?: readonly { type: string; text?: unknown }[] | undefined;
  structuredContent?: Record<string, unknown> | undefined;
}): string {
  const lines = (said.content ?? []).map(({ type, text }) => (typeof text === 'string' ? text : `[${type}]`));
  if (said.structuredContent !== undefined) lines.push(JSON.stringify(said.structuredContent, null, 1));
  const whole = lines.join('\n').trim();
  return whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT)}\n[cut here]` : whole;
}
