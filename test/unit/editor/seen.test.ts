import { describe, expect, it } from 'vitest';
import { createSeenFiles } from '../../../src-main/tools/editor/seen.ts';

const viewer = { sessionId: 's', caller: { kind: 'person' as const } };
const state = (text: string, stamp = 'stamp') => ({ stamp, bytes: Buffer.from(text) });

describe('what was seen', () => {
  it('is kept within its limits; a change of what found no room is still found, but not shown', () => {
    const seen = createSeenFiles({ bytes: 10, files: 3 });
    seen.note(viewer, '/a', state('12345678'));
    seen.note(viewer, '/b', state('12345678'));
    seen.check(viewer, '/a', state('12345678', 'another stamp'));
    expect(() => seen.check(viewer, '/a', state('changed'))).toThrow(
      expect.objectContaining({ code: 'conflict', hint: expect.stringContaining('can not be shown') }),
    );
    seen.check(viewer, '/a', state('changed'));
    for (const path of ['/c', '/d', '/e']) seen.note(viewer, path, state('x'));
    seen.check(viewer, '/b', state('forgotten'));
  });

  it('goes by the stamp where the bytes were never all read', () => {
    const seen = createSeenFiles();
    seen.note(viewer, '/large', { stamp: '1' });
    seen.check(viewer, '/large', { stamp: '1', bytes: Buffer.from('any') });
    expect(() => seen.check(viewer, '/large', { stamp: '2', bytes: Buffer.from('any') })).toThrow('was changed');
  });

  it('is forgotten for a file that is gone', () => {
    const seen = createSeenFiles();
    seen.note(viewer, '/a', state('old'));
    seen.forget(viewer, '/a');
    seen.check(viewer, '/a', state('new'));
  });
});
