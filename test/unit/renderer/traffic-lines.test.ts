import { describe, expect, it } from 'vitest';
import { copyTraffic, filterTraffic, prettyMessage } from '../../../src-renderer/servers/traffic-lines.ts';
import { TRAFFIC } from '../../fixtures/scripted-core/server-states.ts';

const kinds = (choice: Parameters<typeof filterTraffic>[1]['choice'], search = ''): string[] =>
  filterTraffic(TRAFFIC, { choice, search }).map(({ kind }) => kind);

describe('messages of a server', () => {
  it('are chosen by what they are', () => {
    expect(kinds('calls')).toEqual(['request', 'answer', 'request', 'error']);
    expect(kinds('notifications')).toEqual(['notification']);
    expect(kinds('errors')).toEqual(['junk', 'error', 'unasked']);
    expect(kinds('all')).not.toContain('stderr');
  });

  it('are searched by method and text, in any case', () => {
    expect(kinds('all', 'TOOLS/CALL')).toEqual(['request', 'error']);
    expect(kinds('all', 'connection_refused')).toEqual(['error']);
  });

  it('are copied as one line each, with direction and duration', () => {
    const lines = copyTraffic(TRAFFIC.slice(1, 3)).split('\n');
    expect(lines[0]).toMatch(/^\S+Z -> request initialize \{/);
    expect(lines[1]).toMatch(/^\S+Z <- answer initialize 212\.4 ms \{/);
  });

  it('are shown as JSON with line breaks, or as they are', () => {
    expect(prettyMessage('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyMessage('{"a":')).toBe('{"a":');
  });
});
