import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameTools } from '../../../src-main/mcp/client/name-tools.ts';
import { isModelName } from '../../../src-shared/index.ts';

describe('names of attached tools', () => {
  it('are fit for a model, as many as there are tools, and all different, whatever servers call theirs', () => {
    const any = fc.oneof(fc.string({ maxLength: 100 }), fc.constantFrom('a', 'a_b', 'b', 'b_c', '天气', ''));
    fc.assert(
      fc.property(fc.array(fc.record({ server: any, tool: any })), (tools) => {
        const names = nameTools(tools);
        expect(names).toHaveLength(tools.length);
        expect(new Set(names).size).toBe(tools.length);
        expect(names.filter((name) => !isModelName(name))).toEqual([]);
      }),
    );
  });

  it('are the same each time', () => {
    const tools = [
      { server: 's', tool: 't' },
      { server: 's', tool: 't' },
    ];
    expect(nameTools(tools)).toEqual(nameTools(tools));
    expect(nameTools(tools)[0]).toBe('mcp_s_t');
  });

  it('keep two servers apart whose names run together', () => {
    const names = nameTools([
      { server: 'a', tool: 'b_c' },
      { server: 'a_b', tool: 'c' },
    ]);
    expect(names[0]).toBe('mcp_a_b_c');
    expect(names[1]).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  });
});
