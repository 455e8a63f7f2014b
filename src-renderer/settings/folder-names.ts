/** As the settings take them. */
const MOST = 200;
const LONGEST = 255;

/** Names of folders from a text with one a line; `problem` is the first line that is none. A slash at the end is forgiven. */
export function folderNames(text: string): { readonly names: readonly string[]; readonly problem?: string } {
  const lines = text.split('\n').map((line) => line.trim().replace(/[/\\]+$/, ''));
  const names = [...new Set(lines.filter((line) => line !== ''))];
  const problem = names.find((name) => /[/\\]/.test(name) || name.length > LONGEST) ?? names[MOST];
  return { names, ...(problem !== undefined && { problem }) };
}
