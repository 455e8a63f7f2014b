import { randomUUID } from 'node:crypto';
import { isRunning, processIdentity } from '../platform/index.ts';

/**
 * Names who writes a pending edit: the process, and which journal in it. An edit of a living owner is being written at this
 * moment and nobody else's business.
 */
export function createOwner(): string {
  return `${processIdentity(process.pid) ?? process.pid}#${randomUUID()}`;
}

/** True while the process that this owner is in still runs. */
export function ownerLives(owner: string): boolean {
  const [identity = ''] = owner.split('#', 1);
  return isRunning(identity);
}
