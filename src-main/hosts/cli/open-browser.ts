import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import open from 'open';
import { hasDisplay } from '../display.ts';

/**
 * Opens a link in the default browser; false where there is none, or it would not start. Never fails: the link is printed
 * anyway.
 */
export async function openBrowser(link: string): Promise<boolean> {
  if (process.platform === 'linux' && !hasLinuxBrowser()) return false;
  try {
    const opener = await open(link);
    opener.on('error', () => undefined);
    return true;
  } catch {
    return false;
  }
}

/** Without a display xdg-open would look for a text browser and fight over the terminal with Causeway. */
function hasLinuxBrowser(): boolean {
  return hasDisplay() && (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => isExecutable(folder));
}

function isExecutable(folder: string): boolean {
  try {
    accessSync(path.join(folder, 'xdg-open'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
