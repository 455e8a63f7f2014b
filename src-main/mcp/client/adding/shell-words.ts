/**
 * The words of a command line as a shell would take them apart: quotes, backslashes, and lines that go on. Nothing is expanded.
 * Undefined when a quote is not closed.
 */
export function shellWords(line: string): string[] | undefined {
  // Lines that go on: POSIX shells, PowerShell, cmd.exe.
  const text = line.replace(/[ \t]*[\\`^]\r?\n[ \t]*/g, ' ');
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote === "'") {
      if (character === "'") quote = undefined;
      else word += character;
    } else if (character === '\\' && (quote ? '"\\$`'.includes(next) : /[\s"'\\$`]/.test(next)) && next !== '') {
      // A backslash before anything else is one: paths of Windows have them.
      word = (word ?? '') + next;
      at += 1;
    } else if (quote) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
