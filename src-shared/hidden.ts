/** A character that is not to be seen, or that makes its neighbours read differently. `index` counts UTF-16 code units. */
export interface HiddenCharacter {
  index: number;
  character: string;
}

/** Tags, bidi controls and marks, zero-width characters, variation selectors, Hangul fillers, and control characters. */
const HIDDEN = String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]`;
/** Those of them that combine with the character before. */
const COMBINING = String.raw`[\u034F\u17B4\u17B5\u180B-\u180D\u180F\uFE00-\uFE0F]`;
/** Flags of regions (Unicode Technical Standard 51, "emoji tag sequence"): a black flag, a few tags, the end tag. */
const FLAG_OF_REGION = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;
const SUSPECT = new RegExp(`${FLAG_OF_REGION}|${HIDDEN}|${COMBINING}`, 'gu');

const JOINERS = new Set(['\u200C', '\u200D']);
const MARKS = new Set(['\u061C', '\u200E', '\u200F']);
/** Scripts in which joiners are part of how words are written. */
const JOINED_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTER = /\p{L}/u;
const HAN = /\p{Script=Han}/u;
const WIDE = /[^\p{ASCII}\s\uFE00-\uFE0F]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]|\u20E3|\uFE0F/u;

/**
 * The hidden characters of a text, in order. What writing needs is not hidden: joiners within emoji and in scripts that join,
 * one variation selector after a character that has variants, marks beside right-to-left words, flags of regions.
 */
export function findHidden(text: string): HiddenCharacter[] {
  const rightToLeft = RIGHT_TO_LEFT.test(text);
  const found: HiddenCharacter[] = [];
  for (const { index, 0: character } of text.matchAll(SUSPECT)) {
    // A flag is longer than any single character.
    if (character.length > 2 || isWriting(text, index, character, rightToLeft)) continue;
    found.push({ index, character });
  }
  return found;
}

function isWriting(text: string, index: number, character: string, rightToLeft: boolean): boolean {
  const code = character.codePointAt(0) ?? 0;
  const before = (): string => lastCharacter(text.slice(Math.max(0, index - 2), index));
  const after = (): string => String.fromCodePoint(text.codePointAt(index + character.length) ?? 32);
  if (JOINERS.has(character)) {
    const joins = (neighbour: string): boolean => PICTURE.test(neighbour) || JOINED_SCRIPT.test(neighbour);
    return joins(before()) && (joins(after()) || JOINED_SCRIPT.test(before()));
  }
  if (MARKS.has(character)) return rightToLeft;
  // A byte order mark of the file that the text came from.
  if (code === 0xfeff) return index === 0;
  if (code === 0xad) return LETTER.test(before()) && LETTER.test(after());
  if (code >= 0xfe00 && code <= 0xfe0f) return PICTURE.test(before()) || WIDE.test(before());
  return code >= 0xe0100 && code <= 0xe01ef && HAN.test(before());
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? '';
}

/** A character by its number, such as ⟨U+200B⟩. */
function numberOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The text in which each hidden character is shown by its number instead. */
export function withHiddenShown(text: string): string {
  let shown = '';
  let from = 0;
  for (const { index, character } of findHidden(text)) {
    shown += text.slice(from, index) + numberOf(character);
    from = index + character.length;
  }
  return shown + text.slice(from);
}

/** The text without its hidden characters. */
export function withoutHidden(text: string): string {
  let kept = '';
  let from = 0;
  for (const { index, character } of findHidden(text)) {
    kept += text.slice(from, index);
    from = index + character.length;
  }
  return kept + text.slice(from);
}

/**
 * What hidden characters spell: tags are ASCII in disguise, and variation selectors number bytes. Undefined when they spell
 * nothing that can be read.
 */
export function readHidden(text: string): string | undefined {
  const bytes = findHidden(text).flatMap(({ character }) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xe0020 && code <= 0xe007e) return [code - 0xe0000];
    if (code >= 0xfe00 && code <= 0xfe0f) return [code - 0xfe00];
    return code >= 0xe0100 && code <= 0xe01ef ? [code - 0xe0100 + 16] : [];
  });
  const spelled = String.fromCharCode(...bytes.slice(0, 2_000));
  return /^[\P{C}\n\t]{3,}$/u.test(spelled) ? spelled : undefined;
}
