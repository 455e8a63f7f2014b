const LONGEST = 200;
const ENDS = 90;

/**
 * A file's name for a sentence. Whoever made the file chose its name: line breaks and the like are written as escapes, so that it can
 * not pass for something that Causeway says, and the middle of a very long one is left out.
 */
export function plainName(name: string): string {
  const short = name.length > LONGEST ? `${name.slice(0, ENDS)}…${name.slice(-ENDS)}` : name;
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(short)) return short;
  return JSON.stringify(short).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
