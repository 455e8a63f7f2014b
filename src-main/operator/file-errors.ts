import { CausewayError, type ErrorCode } from '../../src-shared/index.ts';

interface Explanation {
  code: ErrorCode;
  /** Completes "FILE could not be read: ...". */
  why: string;
  hint: string;
}

/** What the system's error names mean to a person. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: { code: 'not_found', why: 'it is not there', hint: 'Check the path.' },
  EACCES: { code: 'refused', why: 'permission denied', hint: 'Change its permissions, or choose another place.' },
  EPERM: { code: 'refused', why: 'the system does not permit it', hint: 'Check who owns it and whether it is locked.' },
  EROFS: { code: 'refused', why: 'it is on a read-only file system', hint: 'Choose a place that can be written.' },
  EISDIR: { code: 'bad_input', why: 'it is a folder', hint: 'Give the path of a file.' },
  ENOTDIR: { code: 'bad_input', why: 'a part of its path is not a folder', hint: 'Check the path.' },
  // What mkdir says of a parent that is a file.
  EEXIST: { code: 'bad_input', why: 'a part of its path is not a folder', hint: 'Check the path.' },
  ENAMETOOLONG: { code: 'bad_input', why: 'its name is too long', hint: 'Choose a shorter name.' },
  ELOOP: {
    code: 'bad_input',
    why: 'its symbolic links lead in a circle',
    hint: 'Mend the links, or give another path.',
  },
  ENOSPC: { code: 'io', why: 'the disk is full', hint: 'Free some space and try again.' },
  EDQUOT: { code: 'io', why: 'the disk quota is used up', hint: 'Free some space and try again.' },
  EFBIG: { code: 'io', why: 'it would be larger than the file system allows', hint: 'Split it into smaller files.' },
  EMFILE: { code: 'io', why: 'too many files are open', hint: 'Try again in a moment.' },
  ENFILE: { code: 'io', why: 'too many files are open', hint: 'Try again in a moment.' },
  EBUSY: { code: 'io', why: 'it is in use', hint: 'Close the program that uses it and try again.' },
  ETXTBSY: { code: 'io', why: 'it is a program that is running', hint: 'Stop that program and try again.' },
  EIO: { code: 'io', why: 'the disk reported an error', hint: 'Check the disk.' },
};

/** What was being done to the file, as it stands in the sentence. */
export type FileAction = 'read' | 'written' | 'made' | 'removed' | 'listed' | 'looked at' | 'given other permissions';

/** Any failure of a file operation as an error that names the file, the reason and what to do. */
export function fileError(error: unknown, action: FileAction, path: string): CausewayError {
  if (error instanceof CausewayError) return error;
  const name = errorName(error);
  const known = name === undefined ? undefined : EXPLANATIONS[name];
  if (known) {
    return new CausewayError(known.code, `${path} could not be ${action}: ${known.why}.`, {
      hint: known.hint,
      cause: error,
    });
  }
  const detail = name ?? (error instanceof Error ? error.message : String(error));
  return new CausewayError('io', `${path} could not be ${action} (${detail}).`, { cause: error });
}

/** Runs a file operation; what it throws comes out as {@link fileError}. */
export function explained<T>(action: FileAction, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, action, path);
  }
}

/** The system's name for an error (`ENOENT`), when it has one. */
export function errorName(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
