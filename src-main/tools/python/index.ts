export type { BackendKind, PythonDescription } from './contract.ts';
export { createPythonTool, type PythonTool } from './tool.ts';
export { unfitWorkspace } from './cpython/unfit-workspace.ts';
