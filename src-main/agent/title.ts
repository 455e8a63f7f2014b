const MAX_LENGTH = 60;

/** A session's title from its first task: the first line that says something, cut at a word. */
export function titleFrom(task: string): string {
  const line = task
    .split('\n')
    .map((candidate) => candidate.replace(/^[#>*\-\s]+/, '').trim())
    .find((candidate) => candidate !== '');
  if (!line) return 'Task';
  if (line.length <= MAX_LENGTH) return line;
  const cut = line.slice(0, MAX_LENGTH);
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.]+$/, '')}…`;
}
