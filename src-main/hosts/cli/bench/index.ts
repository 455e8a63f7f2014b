import type { Bench } from './contract.ts';

/** Every benchmark by its name, loaded when it runs. The names are stable: other checks call them. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'editor.replace': async () => (await import('./editor.ts')).editorReplace,
  'history.record': async () => (await import('./history.ts')).historyRecord,
  'mcp.bridge.call': async () => (await import('./mcp-bridge.ts')).mcpBridge,
};
