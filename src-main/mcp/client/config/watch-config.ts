import { readFileSync, realpathSync, unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs';
import path from 'node:path';

/** Editors save in several steps; a change is looked at when it has been quiet for this long, in milliseconds. */
const QUIET_MS = 150;
/** Where the system can not watch folders, the file is looked at this often, in milliseconds. */
const POLL_MS = 2_000;

/**
 * Calls back when the text of a file has become another one, whoever changed it. The folder is watched, since most programs
 * put a new file in the place of the old one; where the file is a link, the folder that it leads to as well.
 */
export function watchConfig(file: string, onChange: () => void): Disposable {
  let text = readOrEmpty(file);
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    timer = undefined;
    const next = readOrEmpty(file);
    if (next === text) return;
    text = next;
    onChange();
  }

  function noticed(): void {
    clearTimeout(timer);
    timer = setTimeout(look, QUIET_MS);
    timer.unref();
  }

  const watchers = [...new Set([path.dirname(path.resolve(file)), path.dirname(realPath(file))])].flatMap((folder) =>
    watchFolder(folder, noticed),
  );
  const polls = watchers.length === 0;
  if (polls) watchFile(file, { persistent: false, interval: POLL_MS }, noticed);
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      if (polls) unwatchFile(file, noticed);
    },
  };
}

function watchFolder(folder: string, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    // The folder is gone, or the system gave up: what is in memory stays, and a restart of the server reads the file.
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
