export { writeFileAtomic } from './atomic-write.ts';
export { createEmitter, type Emitter } from './emitter.ts';
export { isRunning, processIdentity } from './processes.ts';
