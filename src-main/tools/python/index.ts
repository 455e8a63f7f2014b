export type { BackendKind, PythonDescription } from './contract.ts';
export { createPythonTool, type PythonTool, type PythonToolOptions } from './tool.ts';
