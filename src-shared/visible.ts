/**
 * Characters that change the order in which a line is read (Unicode, UAX #9: embeddings, overrides, isolates). In code and commands
 * they make people read something else than what runs; names and words in right-to-left scripts need none of them.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Text in which characters that reorder it are shown by their numbers instead, such as ⟨U+202E⟩. */
export function withoutReordering(text: string): string {
  return text.replace(REORDERING, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}

/** Whether a text reads differently from what it says. */
export function isReordered(text: string): boolean {
  return text.search(REORDERING) >= 0;
}
