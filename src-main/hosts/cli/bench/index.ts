import type { Bench } from './contract.ts';

/** Every benchmark by its name, loaded when it runs. The names are stable: other checks call them. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'shell.roundtrip': async () => named((await import('./shell.ts')).shellBenches, 'shell.roundtrip'),
  'shell.drain': async () => named((await import('./shell.ts')).shellBenches, 'shell.drain'),
  'python.warm': async () => (await import('./python.ts')).pythonWarm,
  'editor.replace': async () => (await import('./editor.ts')).editorReplace,
  'history.record': async () => (await import('./history.ts')).historyRecord,
  'mcp.client.call': async () => (await import('./mcp-client.ts')).mcpClient,
  'mcp.bridge.call': async () => (await import('./mcp-bridge.ts')).mcpBridge,
  'agent.step': async () => (await import('./agent.ts')).agentStep,
  'ui.scroll': async () => (await import('./ui.ts')).uiScroll,
};

function named(benches: readonly Bench[], name: string): Bench {
  const bench = benches.find((candidate) => candidate.name === name);
  if (!bench) throw new Error(`No benchmark is called "${name}"`);
  return bench;
}
