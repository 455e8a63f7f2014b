import { describe, expect, it } from 'vitest';
import { addDisposableStacks } from '../../../src-main/hosts/cli/disposable-stacks.ts';

function ours(): Pick<typeof globalThis, 'DisposableStack' | 'AsyncDisposableStack'> {
  const scope: Record<string, unknown> = {};
  addDisposableStacks(scope);
  return scope as ReturnType<typeof ours>;
}

/** The language's own stacks and those for Node 22 have to agree. */
describe.each([
  ['the language', globalThis],
  ['Causeway for Node 22', ours()],
])('stacks of %s', (_whose, { DisposableStack, AsyncDisposableStack }) => {
  it('let go in reverse order, once', () => {
    const order: string[] = [];
    const stack = new DisposableStack();
    const used = { [Symbol.dispose]: () => void order.push('used') };
    expect(stack.use(used)).toBe(used);
    stack.defer(() => void order.push('deferred'));
    stack.dispose();
    stack[Symbol.dispose]();
    expect(order).toEqual(['deferred', 'used']);
    expect(stack.disposed).toBe(true);
  });

  it('wait for each before the next', async () => {
    const order: string[] = [];
    const stack = new AsyncDisposableStack();
    stack.use({ [Symbol.dispose]: () => void order.push('plain') });
    stack.use({
      [Symbol.asyncDispose]: async () => {
        await Promise.resolve();
        order.push('slow');
      },
    });
    stack.defer(() => void order.push('deferred'));
    await stack[Symbol.asyncDispose]();
    expect(order).toEqual(['deferred', 'slow', 'plain']);
  });

  it('hand everything on in order, and then hold nothing', async () => {
    const order: number[] = [];
    const stack = new AsyncDisposableStack();
    stack.defer(() => void order.push(1));
    stack.defer(() => void order.push(2));
    const next = stack.move();
    await stack.disposeAsync();
    expect(order).toEqual([]);
    await next.disposeAsync();
    expect(order).toEqual([2, 1]);
  });

  it('let go of the rest when one fails, and then say so', () => {
    const order: string[] = [];
    const stack = new DisposableStack();
    stack.defer(() => void order.push('rest'));
    stack.defer(() => {
      throw new Error('stuck');
    });
    expect(() => stack.dispose()).toThrow('stuck');
    expect(order).toEqual(['rest']);
  });

  it('take nothing more once disposed', () => {
    const stack = new DisposableStack();
    stack.dispose();
    expect(() => stack.defer(() => undefined)).toThrow(ReferenceError);
  });
});
