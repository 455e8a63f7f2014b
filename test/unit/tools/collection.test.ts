import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelName, success, type ToolOrigin } from '../../../src-shared/index.ts';
import { createCollection, type Tool } from '../../../src-main/tools/index.ts';

function tool(name: string, origin: ToolOrigin = { kind: 'builtin' }): Tool {
  return {
    name,
    description: '',
    inputSchema: { type: 'object' },
    origin,
    execute: () => Promise.resolve(success(name)),
  };
}

const fromServer = (server: string): ToolOrigin => ({ kind: 'server', server, originalName: 'echo' });

describe('the tool collection', () => {
  it('gives every tool a unique name fit for a model, and drops none', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (first, second) => {
        const collection = createCollection([
          { tools: () => first.map((name) => tool(name)) },
          { tools: () => second.map((name, index) => tool(name, fromServer(String(index)))) },
        ]);
        const names = collection.tools().map(({ name }) => name);
        expect(names).toHaveLength(first.length + second.length);
        expect(new Set(names).size).toBe(names.length);
        expect(names.every(isModelName)).toBe(true);
      }),
    );
  });

  it('lets the first tool of a name keep it and qualifies the second the same way every time', () => {
    const sources = [{ tools: () => [tool('echo')] }, { tools: () => [tool('echo', fromServer('b'))] }];
    const names = createCollection(sources)
      .tools()
      .map(({ name }) => name);
    expect(names[0]).toBe('echo');
    expect(names[1]).toMatch(/^echo_[0-9a-f]{8}$/);
    expect(
      createCollection(sources)
        .tools()
        .map(({ name }) => name),
    ).toEqual(names);
  });

  it('follows a source whose tools change', () => {
    let tools = [tool('one')];
    const collection = createCollection([{ tools: () => tools }]);
    expect(collection.find('two')).toBeUndefined();
    tools = [tool('one'), tool('two')];
    expect(collection.find('two')?.name).toBe('two');
  });
});
