/**
 * What to copy of a selection that reaches over several lines of a diff: their text, without numbers and signs. Undefined
 * where it lies within one line, which copies as it is.
 * @param side which file to copy from, where two stand beside each other.
 */
export function copiedLines(selection: Selection, side: string | undefined): string | undefined {
  const lines = [...selection.getRangeAt(0).cloneContents().querySelectorAll<HTMLElement>('[data-line]')];
  const wanted = lines.filter((line) => side === undefined || line.dataset['line'] === side);
  return lines.length === 0 ? undefined : wanted.map((line) => line.textContent).join('\n');
}
