/** The unchanged text shown on each side of a difference, in characters. */
const AROUND = 60;
/** The longest differing part shown, in characters. */
const MAX_DIFFERENCE = 200;

/** A file's line and the wanted one under each other, with the part that differs between brackets and made visible. */
export function showDifference(lineNumber: number, found: string | undefined, wanted: string): string {
  if (found === undefined) return `  the file ends before: ${bracketed([...wanted], 0, 0)}`;
  const a = [...found];
  const b = [...wanted];
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < shorter - prefix && a.at(-1 - suffix) === b.at(-1 - suffix)) suffix += 1;
  return [
    `  line ${lineNumber}:  ${bracketed(a, prefix, suffix)}`,
    `  old_str: ${' '.repeat(String(lineNumber).length - 1)}${bracketed(b, prefix, suffix)}`,
  ].join('\n');
}

function bracketed(characters: readonly string[], prefix: number, suffix: number): string {
  const end = characters.length - suffix;
  const before = characters.slice(Math.max(0, prefix - AROUND), prefix).join('');
  const differing = characters.slice(prefix, end);
  const after = characters.slice(end, end + AROUND).join('');
  const shown =
    differing.slice(0, MAX_DIFFERENCE).map(visible).join('') + (differing.length > MAX_DIFFERENCE ? '…' : '');
  return `${prefix > AROUND ? '…' : ''}${before}⟦${shown}⟧${after}${suffix > AROUND ? '…' : ''}`;
}

/** A character as it can be told from its look-alikes. */
export function visible(character: string): string {
  if (character === ' ') return '·';
  if (character === '\t') return '→';
  if (character === '\r') return '␍';
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return character;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character}(${name})` : `(${name})`;
}
