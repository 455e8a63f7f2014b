import { readFileSync } from 'node:fs';
import { createFamilyMark, endFamily, FAMILY_VARIABLE, processIdentity } from '../../platform/index.ts';
import { quote } from './shell-script.ts';

/** Time to end by itself when it is stopped, in milliseconds. */
const GRACE_MS = 500;

/**
 * A command for a job's shell that starts `command` as a program of its own: another session, without a terminal and without the mark
 * by which Causeway finds what it has to end. Then it shows what the program writes to `log`, until it ends, and ends as it did.
 * Beside the log stand its process number (`.pid`) and exit code (`.status`).
 */
export function keptCommand(command: string, log: string): string {
  const place = quote(log);
  const run = 'echo "$$" >"$0.pid"; bash --noprofile --norc -c "$1"; echo "$?" >"$0.status"';
  return [
    `env -u ${FAMILY_VARIABLE} setsid -f bash --noprofile --norc -c ${quote(run)} ${place} ${quote(command)} >>${place} 2>&1 </dev/null`,
    `|| exit 127; until [ -s ${place}.pid ]; do sleep 0.01; done; read -r __causeway_kept <${place}.pid`,
    // In a subshell nothing is said of jobs.
    '; ( tail -n +1 -f ' +
      `${place} & while kill -0 "$__causeway_kept"; do sleep 0.2; done; sleep 0.2; kill "$!" ) 2>/dev/null`,
    `; (exit "$(cat ${place}.status 2>/dev/null || echo 143)")`,
  ].join(' ');
}

/** Ends the program that was started so, and all that comes from it. */
export async function endKept(log: string): Promise<void> {
  const pid = Number(readText(`${log}.pid`));
  const root = Number.isInteger(pid) && pid > 1 ? processIdentity(pid) : undefined;
  if (root !== undefined) await endFamily({ root, mark: createFamilyMark() }, { graceMs: GRACE_MS });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
