import { CausewayError } from '../../../src-shared/index.ts';
import type { AttachedServer } from './attached-server.ts';

/** An entry of the config that can not be understood: shown, never started. */
export function createBrokenServer(name: string, problem: string, target: string): AttachedServer {
  return {
    name,
    config: undefined,
    state: 'failed',
    offered: [],
    view: () => ({ name, state: 'failed', message: problem, transport: 'stdio', target, stderr: [] }),
    instructions: () => undefined,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    verify: () => Promise.resolve(),
    call: () => Promise.reject(new CausewayError('unavailable', problem)),
    offers: undefined,
    relist: () => Promise.resolve(),
    signIn: () => Promise.reject(new CausewayError('unavailable', problem)),
    cancelSignIn: () => undefined,
    signOut: () => Promise.reject(new CausewayError('unavailable', problem)),
    forget: () => Promise.resolve(),
    readResource: () => Promise.reject(new CausewayError('unavailable', problem)),
  };
}
