import { describe, expect, it } from 'vitest';
import { foldersToShow } from '../../../src-main/tools/python/cpython/interpreters.ts';

const home = '/home/me';
const hidden = ['/home/me/.config/causeway'];

describe('the folders that an interpreter is shown', () => {
  it('leave out what the system shows anyway, and what others cover', () => {
    const folders = ['/usr', '/usr/lib/python3', '/opt/py', '/opt/py/lib/python3.12', '/home/me/.pyenv/versions/3.12'];
    expect(foldersToShow(folders, home, hidden)).toEqual(['/opt/py', '/home/me/.pyenv/versions/3.12']);
  });

  it.each(['/', '/home', '/home/me', '/home/me/.config', '/home/me/.config/causeway'])(
    'never include %s: such an interpreter is not used',
    (folder) => {
      expect(foldersToShow(['/opt/py', folder], home, hidden)).toBeUndefined();
    },
  );
});
