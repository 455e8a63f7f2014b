/** What a bubblewrap must offer for our policies to hold, and since which version it does. */
const NEEDED = ['--disable-userns', '--size', '--info-fd', '--args', '--ro-bind-data', '--seccomp', '--clearenv'];

/** The needed options that `bwrap --help` does not list. */
export function missingFeatures(help: string): string[] {
  const offered = new Set(help.match(/--[a-z][a-z-]*/g) ?? []);
  return NEEDED.filter((option) => !offered.has(option));
}

/** The version in the output of `bwrap --version` ("bubblewrap 0.8.0"). */
export function parseVersion(output: string): string {
  return /\d+(?:\.\d+)+/.exec(output)?.[0] ?? 'unknown';
}

/** Why a sandbox that bubblewrap could not make is not there, and what to do, from what it wrote to standard error. */
export function explainFailure(stderr: string): { reason: string; fix: string } {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  const refused = /uid map|new namespace|RTM_NEWADDR|Operation not permitted|Permission denied/i.test(line);
  return {
    reason: `bubblewrap is installed but could not make a sandbox${line ? ` (${line})` : ''}.`,
    fix: refused
      ? 'This system refuses user namespaces to bubblewrap. On Ubuntu 23.10 and newer, allow them with an AppArmor profile for /usr/bin/bwrap that holds "userns,"; in a container, run it with user namespaces enabled.'
      : 'Run "bwrap --ro-bind / / --unshare-all true" in a terminal to see what it says.',
  };
}
