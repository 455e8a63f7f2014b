import type { Execution } from './execution.ts';
import { INTERRUPT } from './keys.ts';
import type { Shell } from './shell.ts';

/**
 * What the foreground gets, one after the other, until the command ends. Ctrl-C also reaches the shell itself, in a loop of its
 * own; the later ones a loop that starts its program again.
 */
const STEPS = ['SIGINT', 'SIGTERM', 'SIGKILL', INTERRUPT, 'SIGKILL', INTERRUPT, 'SIGKILL', INTERRUPT] as const;
/** Time to end after each, in milliseconds. */
const WAIT_MS = 150;

/**
 * Ends the running command and nothing else: Ctrl-C, then signals to the foreground tree up to SIGKILL. The shell keeps its
 * directory and variables. False when even that was in vain (the shell itself ignores Ctrl-C): it has to be replaced.
 */
export async function stopCommand(shell: Shell, execution: Execution): Promise<boolean> {
  shell.type(INTERRUPT);
  if (await endsWithin(execution, WAIT_MS)) return shell.settle();
  for (const step of STEPS) {
    if (isAtPrompt(shell)) return shell.settle();
    if (step === INTERRUPT) shell.type(step);
    // Nobody there to signal: the shell itself is busy.
    else if (!shell.signalForeground(step)) continue;
    if (await endsWithin(execution, WAIT_MS)) return shell.settle();
  }
  return false;
}

/** True when nothing but bash itself runs, and it reads: the end of the command was not reported. */
function isAtPrompt(shell: Shell): boolean {
  const foreground = shell.foreground();
  return foreground !== undefined && foreground.own && foreground.reads === 'yes';
}

/** True when the command ended in that time. */
export async function endsWithin(execution: Execution, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  const completion = await Promise.race([execution.done, late]);
  clearTimeout(timer);
  return completion !== undefined;
}
