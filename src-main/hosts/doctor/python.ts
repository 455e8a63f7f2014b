import type { Finding } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';
import { unfitWorkspace } from '../../tools/python/index.ts';

const INSTALL =
  process.platform === 'linux'
    ? 'For CPython with your packages: "sudo apt install bubblewrap python3".'
    : 'For CPython with your packages use Linux with bubblewrap; here Python runs as WebAssembly.';

/** What Python runs on, and what keeps it in. */
export async function checkPython(app: App): Promise<Finding[]> {
  const { backend, interpreter, version, packages, reason, limits } = await app.describePython();
  if (backend === 'none') {
    return [
      {
        name: 'Python',
        status: 'missing',
        detail: 'Python cannot run here: nothing can keep it in a sandbox.',
        fix: INSTALL,
      },
      { name: 'Sandbox', status: 'missing', detail: reason, fix: INSTALL },
    ];
  }
  const where = interpreter ?? 'WebAssembly';
  const known = packages.length > 0 ? `, with ${packages.join(', ')}` : '';
  const python: Finding = { name: 'Python', status: 'ok', detail: `Python ${version ?? ''} (${where})${known}.` };
  const unfit = backend === 'bubblewrap' ? unfitWorkspace(app.workspace) : undefined;
  return [
    python,
    ...(unfit === undefined
      ? []
      : [{ name: 'Workspace', status: 'warning', detail: unfit, fix: 'Start Causeway in another folder.' } as const]),
    backend === 'bubblewrap'
      ? { name: 'Sandbox', status: 'ok', detail: reason }
      : { name: 'Sandbox', status: 'warning', detail: reason, fix: INSTALL },
    ...(limits ? [{ name: 'Limits', status: limits.fix === undefined ? 'ok' : 'warning', ...limits } as const] : []),
  ];
}
