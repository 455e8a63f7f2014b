import { createPlainFiles } from './attributes.ts';
import { createRemoteFiles } from './calls/remote-files.ts';
import { createFileService } from './calls/service.ts';
import type { FileOperator } from './contract.ts';

/** This machine's files, worked on in the thread of the caller, which waits for the disk: for programs that do nothing else. */
export function createFilesHere(): FileOperator {
  const serve = createFileService(createPlainFiles());
  return createRemoteFiles(
    async (call, payload = []) => serve(call, payload),
    () => true,
  );
}
