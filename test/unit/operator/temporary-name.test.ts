import { describe, expect, it } from 'vitest';
import path from 'node:path';
import { completePath, stageOf, temporaryPath } from '../../../src-main/operator/temporary-name.ts';

describe('the name of a temporary file', () => {
  it.each(['/d/file.txt', '/d/.hidden', `/d/${'n'.repeat(255)}`, `/d/${'🙂'.repeat(60)}`])(
    'is hidden, beside the file, short enough, and tells the file it belongs to',
    (file) => {
      const temporary = temporaryPath(file);
      const name = path.basename(temporary);
      expect(path.dirname(temporary)).toBe('/d');
      expect(name.startsWith('.')).toBe(true);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(stageOf(name, file)).toBe('filling');
      expect(stageOf(path.basename(completePath(temporary)), file)).toBe('complete');
    },
  );

  it('is not taken for that of another file', () => {
    const name = path.basename(temporaryPath('/d/a.b'));
    expect(stageOf(name, '/d/a')).toBeUndefined();
    expect(stageOf(name, '/d/b')).toBeUndefined();
    expect(stageOf('.a.b.notes', '/d/a.b')).toBeUndefined();
    expect(stageOf('a.b', '/d/a.b')).toBeUndefined();
  });
});
