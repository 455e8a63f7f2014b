/** What to spawn. */
export interface SpawnedCommand {
  file: string;
  args: string[];
  /** The arguments are one command line already, and must reach Windows as it is. */
  verbatim: boolean;
}

/**
 * Scripts of Windows (`npx.cmd`) are no programs: they run in cmd.exe, whose quoting is its own. Every character that means
 * something to it is escaped, so that an argument stays one argument and starts nothing.
 */
export function forPlatform(
  file: string,
  args: readonly string[],
  { platform = process.platform, shell = 'cmd.exe' }: { platform?: NodeJS.Platform; shell?: string } = {},
): SpawnedCommand {
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(file)) return { file, args: [...args], verbatim: false };
  // Twice: the script hands its arguments on to another program through cmd.exe once more.
  const line = [escapeMeta(file), ...args.map((arg) => escapeMeta(escapeMeta(quote(arg))))].join(' ');
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Quotes as the C runtime reads them: backslashes count only before a quote. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

function escapeMeta(text: string): string {
  return text.replace(/([()\][%!^"`<>&|;, *?])/g, '^$1');
}
