import { describe, expect, it } from 'vitest';
import { CausewayError } from '../../../src-shared/index.ts';
import { fileError } from '../../../src-main/operator/file-errors.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { code });
}

describe('an error of the file system', () => {
  it.each([
    ['ENOENT', 'not_found', '/f could not be read: it is not there.'],
    ['EACCES', 'refused', '/f could not be read: permission denied.'],
    ['EROFS', 'refused', '/f could not be read: it is on a read-only file system.'],
    ['ENOSPC', 'io', '/f could not be read: the disk is full.'],
    ['EISDIR', 'bad_input', '/f could not be read: it is a folder.'],
  ])('%s becomes a sentence with what to do', (name, code, message) => {
    const error = fileError(systemError(name), 'read', '/f');
    expect(error).toMatchObject({ code, message });
    expect(error.hint).toBeTruthy();
  });

  it('that is not known still names the file and the reason', () => {
    expect(fileError(systemError('EWEIRD'), 'written', '/f').message).toBe('/f could not be written (EWEIRD).');
    expect(fileError('a bare string', 'written', '/f').message).toContain('a bare string');
  });

  it('that has its sentence already keeps it', () => {
    const error = new CausewayError('conflict', 'As it was.');
    expect(fileError(error, 'read', '/f')).toBe(error);
  });
});
