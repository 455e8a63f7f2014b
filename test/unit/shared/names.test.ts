import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanName, isModelName, nearestNames, serverToolName } from '../../../src-shared/index.ts';

describe('names shown to a model', () => {
  it('are always fit for a model, whatever server and tool are called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (server, tool) => {
        expect(isModelName(serverToolName(server, tool))).toBe(true);
      }),
    );
  });

  it('are the same every time', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (server, tool) => {
        expect(serverToolName(server, tool)).toBe(serverToolName(server, tool));
      }),
    );
  });

  it('keep a plain name readable and unhashed', () => {
    expect(serverToolName('github', 'create_issue')).toBe('mcp_github_create_issue');
  });

  it('end in a hash where cleaning loses something, so that two tools never share a name', () => {
    const spaced = serverToolName('files', 'read file');
    const dotted = serverToolName('files', 'read.file');
    expect(spaced).toMatch(/^mcp_files_read_file_[0-9a-f]{8}$/);
    expect(dotted).not.toBe(spaced);
  });

  it('end in a hash where cutting loses something', () => {
    const first = serverToolName('s', `${'x'.repeat(90)}1`);
    const second = serverToolName('s', `${'x'.repeat(90)}2`);
    expect(first).toHaveLength(64);
    expect(first).not.toBe(second);
  });

  it('survive a name of which nothing can be kept', () => {
    expect(cleanName('工具')).toMatch(/^tool_[0-9a-f]{8}$/);
  });

  it('offer the nearest known names for an unknown one', () => {
    const known = ['bash', 'str_replace_editor', 'python_execute'];
    expect(nearestNames('editor', known, 1)).toEqual(['str_replace_editor']);
    expect(nearestNames('bahs', known, 1)).toEqual(['bash']);
  });
});
