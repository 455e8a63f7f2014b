import type { Finding } from '../../../src-shared/index.ts';
import { findChromium } from '../../agent/index.ts';
import { hasDisplay } from '../display.ts';
import { findElectron } from '../electron-binary.ts';

export function checkNode(): Finding {
  return { name: 'Node', status: 'ok', detail: `Node ${process.versions.node} at ${process.execPath}.` };
}

export function checkElectron(): Finding {
  const program = findElectron();
  if (!program) {
    return {
      name: 'Electron',
      status: 'missing',
      detail: "Electron's program is not on this machine.",
      fix: 'Run "npx install-electron" with a network, or use the browser: "causeway web".',
    };
  }
  if (hasDisplay()) return { name: 'Electron', status: 'ok', detail: `Electron at ${program}.` };
  return {
    name: 'Electron',
    status: 'warning',
    detail: `Electron at ${program}, but there is no display to show a window on.`,
    fix: 'Use the browser instead: "causeway web".',
  };
}

export function checkBrowser(): Finding {
  const browser = findChromium();
  if (browser) return { name: 'Browser', status: 'ok', detail: `Chromium for screenshots at ${browser}.` };
  return {
    name: 'Browser',
    status: 'missing',
    detail: 'No Chromium or Chrome was found, so there are no screenshots of pages.',
    fix: process.platform === 'linux' ? 'Install one: "sudo apt install chromium".' : 'Install Chrome or Chromium.',
  };
}
