import type { Bench } from './contract.ts';

/** Every benchmark by its name, loaded when it runs. The names are stable: other checks call them. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'shell.roundtrip': async () => (await import('./shell.ts')).shellRoundTrip,
  'shell.drain': async () => (await import('./shell-drain.ts')).shellDrain,
  'shell.drain.cat': async () => (await import('./shell-drain.ts')).shellDrainCat,
  'shell.memory': async () => (await import('./shell-drain.ts')).shellMemory,
  'python.result': async () => (await import('./python.ts')).pythonResult,
  'python.warm': async () => (await import('./python.ts')).pythonWarm,
  'python.many': async () => (await import('./python.ts')).pythonMany,
  'python.cancel': async () => (await import('./python-cancel.ts')).pythonCancel,
  'python.first': async () => (await import('./python-start.ts')).pythonFirst,
  'python.first.wasm': async () => (await import('./python-start.ts')).pythonFirstWasm,
  'python.idle': async () => (await import('./python-start.ts')).pythonIdle,
  'editor.replace': async () => (await import('./editor.ts')).editorReplace,
  'history.record': async () => (await import('./history.ts')).historyRecord,
  'history.growth': async () => (await import('./history.ts')).historyGrowth,
  'history.check': async () => (await import('./history-commands.ts')).historyCheck,
  'history.undo500': async () => (await import('./history-commands.ts')).historyUndoCommand,
  'mcp.client.call': async () => (await import('./mcp-client.ts')).mcpClient,
  'mcp.client.http': async () => (await import('./mcp-client.ts')).mcpClientHttp,
  'mcp.client.many': async () => (await import('./mcp-client.ts')).mcpClientMany,
  'mcp.client.start': async () => (await import('./mcp-start.ts')).mcpStart,
  'mcp.bridge.call': async () => (await import('./mcp-bridge.ts')).mcpBridge,
  'agent.step': async () => (await import('./agent.ts')).agentStep,
  'ui.scroll': async () => (await import('./ui.ts')).uiScroll,
};
