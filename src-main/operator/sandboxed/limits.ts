import path from 'node:path';
import { CausewayError } from '../../../src-shared/index.ts';
import { isInside } from '../../platform/index.ts';
import { changes } from './boundary.ts';
import type { Send } from '../calls/file-call.ts';

/** What a sandbox is to let through, and the value of the setting that says so. */
export interface Limits {
  readonly workspace: string;
  readonly access: 'read-write' | 'read-only';
  readonly policy: string;
}

/** Says at once, and in plain words, what the sandbox would not let happen. */
export function limited(send: Send, { workspace, access, policy }: Limits): Send {
  return async (call, payload) => {
    if (changes(call) && access === 'read-only') throw readOnly(call.path, policy);
    if (!path.isAbsolute(call.path) || !isInside(path.normalize(call.path), workspace))
      throw outside(call.path, policy);
    return send(call, payload);
  };
}

function readOnly(file: string, policy: string): CausewayError {
  return new CausewayError('refused', `${file} cannot be changed: the setting "shell.sandbox" is "${policy}".`, {
    hint: 'Set "shell.sandbox" to "workspace-write" in the settings, to let the workspace be changed.',
  });
}

function outside(file: string, policy: string): CausewayError {
  return new CausewayError(
    'refused',
    `${file} is outside of the workspace, and the sandbox that files are edited in shows only the workspace (the setting "shell.sandbox" is "${policy}").`,
    {
      hint: 'It takes the yes of the person, who is asked when "approvals.mode" is "workspace" or "ask" and somebody is there. Or work on files of the workspace, or set "shell.sandbox" to "off" in the settings.',
    },
  );
}
