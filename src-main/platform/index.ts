export { writeFileAtomic } from './atomic-write.ts';
export { createEmitter } from './emitter.ts';
export { lstatIfThere, statIfThere } from './look.ts';
export { makeFolders } from './make-folders.ts';
export { isInside } from './paths.ts';
export {
  createFamilyMark,
  endFamily,
  FAMILY_VARIABLE,
  signalAll,
  withDescendants,
  type ProcessFamily,
} from './process-family.ts';
export { listProcesses, readProcess, type ProcessEntry } from './process-table.ts';
export { plainName } from './plain-name.ts';
export { findTrustedProgram, programFolders, SYSTEM_PATH, type ProgramSearch } from './programs.ts';
export { isRunning, processIdentity } from './processes.ts';
export { createRunFolder, reapRunFolders } from './run-folders.ts';
export { characterStart, createBoundaries } from './characters.ts';
export { detectEncoding } from './detect-encoding.ts';
export { decodeText, encodeText, encodingName, markLength, unitWidth, type TextEncoding } from './text-encoding.ts';
export { countLineFeeds, lineEnd, lineNumberAt, lineStart } from './text-lines.ts';
export { withFileLock, withFileLockSync } from './file-lock.ts';
export { createGatherer } from './gather.ts';
