/**
 * DisposableStack and AsyncDisposableStack (ECMAScript explicit resource management) for Node 22, which has the symbols and
 * not the stacks; Node 24 and Electron have both. Only what Causeway uses: use, defer, move and disposing.
 */
type Work = () => unknown;

/** What one stack holds, and the order and errors of letting go of it. */
class Works {
  #works: Work[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  add(work: Work): void {
    if (this.#disposed) throw new ReferenceError('The stack was disposed already.');
    this.#works.push(work);
  }

  /** Takes everything, the last first; afterwards nothing can be added. */
  take(): Work[] {
    this.#disposed = true;
    return this.#works.splice(0).reverse();
  }
}

function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, 'Several things could not be closed.');
}

class SyncStack {
  readonly #works = new Works();

  get disposed(): boolean {
    return this.#works.disposed;
  }

  use<T extends Disposable | null | undefined>(value: T): T {
    if (value) this.defer(() => value[Symbol.dispose]());
    return value;
  }

  defer(work: () => void): void {
    this.#works.add(work);
  }

  move(): SyncStack {
    const next = new SyncStack();
    for (const work of this.#works.take().reverse()) next.#works.add(work);
    return next;
  }

  dispose(): void {
    const errors: unknown[] = [];
    for (const work of this.#works.take()) {
      try {
        work();
      } catch (error) {
        errors.push(error);
      }
    }
    throwAll(errors);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

class AsyncStack {
  readonly #works = new Works();

  get disposed(): boolean {
    return this.#works.disposed;
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value) {
      this.defer(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()));
    }
    return value;
  }

  defer(work: () => PromiseLike<void> | void): void {
    this.#works.add(work);
  }

  move(): AsyncStack {
    const next = new AsyncStack();
    for (const work of this.#works.take().reverse()) next.#works.add(work);
    return next;
  }

  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const work of this.#works.take()) {
      try {
        await work();
      } catch (error) {
        errors.push(error);
      }
    }
    throwAll(errors);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }
}

/** Puts them where the language would have them; what is there already stays. */
export function addDisposableStacks(scope: object = globalThis): void {
  if (!('DisposableStack' in scope)) Object.assign(scope, { DisposableStack: SyncStack });
  if (!('AsyncDisposableStack' in scope)) Object.assign(scope, { AsyncDisposableStack: AsyncStack });
}
