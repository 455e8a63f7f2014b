import { randomUUID } from 'node:crypto';
import { createRunFolder } from '../../../platform/index.ts';
import type { NetworkProxy, Sandbox, WayOut } from '../../../sandbox/index.ts';

/** Kind of the run folders that hold the sockets. */
export const WAY_OUT_FOLDER = 'way-out';

/** The way of one sandbox to some hosts, open. Disposed of when the sandbox is gone. */
export interface OpenWayOut extends AsyncDisposable, Pick<WayOut, 'shared' | 'env' | 'starter'>, NetworkProxy {}

/** Undefined when no host may be reached. @throws CausewayError `unavailable` */
export async function openWayOut(
  { sandbox, runDir }: { sandbox: Sandbox; runDir: string },
  { hosts, setting }: { hosts: readonly string[]; setting: string },
): Promise<OpenWayOut | undefined> {
  if (hosts.length === 0) return undefined;
  const folder = createRunFolder(runDir, WAY_OUT_FOLDER, randomUUID());
  try {
    const way = sandbox.wayOut({ folder: folder.path, rules: hosts, setting });
    const proxy = await way.open();
    return {
      ...way,
      takeRefused: () => proxy.takeRefused(),
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
