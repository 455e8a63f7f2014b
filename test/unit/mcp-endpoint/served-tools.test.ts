import { describe, expect, it } from 'vitest';
import { createServedTools, type ServedTools } from '../../../src-main/mcp/endpoint/served-tools.ts';
import { createEmitter } from '../../../src-main/platform/index.ts';
import type { Tool } from '../../../src-main/tools/index.ts';
import { echo, steps, terminate } from '../../fixtures/tools.ts';

interface Source {
  tools: ServedTools;
  /** Says that the tools may have changed. */
  change(next: Tool[]): void;
  /** How many listen to the source. */
  listening(): number;
}

function create(initial: Tool[], serves?: (tool: Tool) => boolean): Source {
  let current = initial;
  let listening = 0;
  const changes = createEmitter<undefined>();
  const tools = createServedTools({
    source: { tools: () => current },
    onToolsChanged(listener) {
      const registration = changes.on(listener);
      listening += 1;
      return {
        [Symbol.dispose]() {
          listening -= 1;
          registration[Symbol.dispose]();
        },
      };
    },
    ...(serves && { serves }),
  });
  return {
    tools,
    listening: () => listening,
    change(next) {
      current = next;
      changes.emit(undefined);
    },
  };
}

describe('the tools that other apps see', () => {
  it('are all but terminate, unless told otherwise', () => {
    expect(create([echo, terminate]).tools.all()).toEqual([echo]);
    expect(create([echo, terminate], (tool) => tool !== echo).tools.all()).toEqual([terminate]);
  });

  it("keep an attached server's tool of that name", () => {
    const foreign: Tool = { ...terminate, origin: { kind: 'server', server: 's', originalName: 'terminate' } };
    expect(create([foreign]).tools.find('terminate')).toBe(foreign);
  });

  it('are found by name only when they are lent, and only such names are suggested', () => {
    const { tools } = create([echo, steps, terminate]);
    expect(tools.find('echo')).toBe(echo);
    expect(tools.find('terminate')).toBeUndefined();
    expect(tools.nearest('terminat')).not.toContain('terminate');
  });

  it('announce a change only when they are others than before', () => {
    const { tools, change } = create([echo, terminate]);
    let heard = 0;
    using _ = tools.onChange(() => (heard += 1));
    change([echo, terminate]);
    change([echo]);
    expect(heard).toBe(0);
    change([echo, steps]);
    change([{ ...echo }, steps]);
    expect(heard).toBe(2);
  });

  it('listen to the source only while somebody listens to them', () => {
    const { tools, listening } = create([echo]);
    const listener = (): void => undefined;
    const first = tools.onChange(listener);
    const second = tools.onChange(listener);
    expect(listening()).toBe(1);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(listening()).toBe(1);
    second[Symbol.dispose]();
    expect(listening()).toBe(0);
  });
});
