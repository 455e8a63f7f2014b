import { describeError, type Finding } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';
import { checkModel } from './model.ts';
import { checkBrowser, checkElectron, checkNode } from './programs.ts';
import { checkPython } from './python.ts';
import { checkSecrets } from './secrets.ts';
import { checkServers } from './servers.ts';

/** One thing to look at: it may find several things to say. */
type Check = () => Finding | Finding[] | Promise<Finding | Finding[]>;

/** Looks at everything Causeway uses, all at once, and says of each what was found and how to mend it. Never rejects. */
export async function examine(app: App, signal: AbortSignal): Promise<Finding[]> {
  const checks: Record<string, Check> = {
    Node: checkNode,
    Electron: checkElectron,
    Browser: checkBrowser,
    Python: () => checkPython(app),
    Model: () => checkModel(app, signal),
    Secrets: () => checkSecrets(app),
    Servers: () => checkServers(app, signal),
  };
  const findings = await Promise.all(Object.entries(checks).map(([name, check]) => look(name, check, signal)));
  return findings.flat();
}

async function look(name: string, check: Check, signal: AbortSignal): Promise<Finding | Finding[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new Error('This took too long to find out.'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return { name, status: 'warning', detail: describeError(error) };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
