import type { PlainFiles } from '../attributes.ts';
import { explained } from '../file-errors.ts';
import { createLocalFiles } from '../local-files.ts';
import { digestOfFile } from '../regular-file.ts';
import type { Answer, FileCall } from './file-call.ts';

const NOTHING = new Uint8Array(0);

/** Does a call, in one go. Throws CausewayErrors only. */
export type FileService = (call: FileCall, payload: readonly Uint8Array[]) => Answer;

/** Does calls with the files that are to be seen here. */
export function createFileService(plain: PlainFiles): FileService {
  const files = createLocalFiles(plain);

  function valueOf(call: FileCall, payload: readonly Uint8Array[]): unknown {
    const { path } = call;
    switch (call.method) {
      case 'realPath':
        return files.realPath(path);
      case 'stat':
        return files.stat(path, call);
      case 'holds':
        return files.holds(path, joined(payload));
      case 'digest':
        return explained('read', path, () => digestOfFile(path, call.size));
      case 'write':
        return files.write(path, payload, call);
      case 'remove':
        return files.remove(path, call);
      case 'setMode':
        return files.setMode(path, call.mode);
      case 'syncFolder':
        return files.syncFolder(path);
      case 'makeLink':
        return files.makeLink(path, joined(payload));
      case 'makeFolder':
        return files.makeFolder(path, call);
      case 'removeFolder':
        return files.removeFolder(path);
      case 'list':
        return files.list(path);
      case 'settle':
        return files.settle(path);
    }
    throw new TypeError(`There is no ${call.method} to be done with files.`);
  }

  return (call, payload) => {
    if (call.method === 'read') return { value: null, payload: files.read(call.path, call.range) };
    if (call.method === 'entry') {
      const found = files.entry(call.path);
      return { value: found && found.stat, payload: found ? found.bytes : NOTHING };
    }
    if (call.method === 'readLink') return { value: null, payload: files.readLink(call.path) };
    return { value: valueOf(call, payload) ?? null, payload: NOTHING };
  };
}

function joined(payload: readonly Uint8Array[]): Uint8Array {
  const [only = NOTHING] = payload;
  return payload.length > 1 ? Buffer.concat(payload) : only;
}
