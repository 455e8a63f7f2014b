import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CausewayError, type EditView } from '../../../src-shared/index.ts';
import { agentActor } from '../../fixtures/history/open.ts';
import { openWatchedHistory, type WatchedHistory } from '../../fixtures/history/watched.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/tree.ts';

type Tree = Record<string, string>;
/** `pick` chooses one of what there is by then. */
type Action =
  | { kind: 'edit'; name: string; text: string | null }
  | { kind: 'command'; script: string }
  | { kind: 'undo' | 'redo' | 'undo call' | 'redo call' | 'go back'; pick: number }
  /** To a file that only the person has. */
  | { kind: 'by hand'; text: string };

const MINE = 'mine';
const name = fc.constantFrom('a', 'b c', 'd/e', 'd/f/g');
const text = fc.stringMatching(/^[a-z\r\n]{0,20}$/);
const quoted = name.map((one) => `'${one}'`);
const script = fc.oneof(
  fc.tuple(quoted, text).map(([file, written]) => `mkdir -p d/f; printf %s '${written}' >${file}`),
  fc.tuple(quoted, quoted).map(([from, to]) => `mkdir -p d/f; [ ${from} = ${to} ] || mv -f ${from} ${to}`),
  fc.tuple(quoted, fc.constantFrom('600', '755')).map(([file, mode]) => `chmod ${mode} ${file}`),
  fc.tuple(quoted, quoted).map(([to, file]) => `[ -d ${file} ] || ln -sfn ${to} ${file}`),
  quoted.map((file) => `rm -rf ${file}; mkdir ${file}; echo x >${file}/x`),
  quoted.map((file) => `rm -rf ${file}`),
  fc.constantFrom('rm -rf d', 'chmod 750 d', 'mkdir -p e/f; chmod 700 e/f', 'rmdir e/f', 'mv d e'),
  fc.constantFrom('mv d e; ln -s e d', 'rm -rf d; ln -s e d', 'rm -rf d; echo x >d', 'rm -rf d/f; ln -s . d/f'),
);
const turn = fc.constantFrom('undo', 'undo', 'redo', 'undo call', 'redo call', 'go back');
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(name, fc.option(text, { freq: 4 }))
      .map(([file, written]): Action => ({ kind: 'edit', name: file, text: written })),
  },
  { weight: 4, arbitrary: script.map((one): Action => ({ kind: 'command', script: one })) },
  { weight: 5, arbitrary: fc.tuple(turn, fc.nat(1000)).map(([kind, pick]): Action => ({ kind, pick })) },
  { weight: 1, arbitrary: text.map((written): Action => ({ kind: 'by hand', text: written })) },
);

/** Also of a symlink that leads nowhere. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file) !== undefined;
  } catch {
    return false;
  }
}

/** The history of one workspace beside a model of it: the whole tree as it was after each edit. */
class Mixed {
  readonly #opened: WatchedHistory;
  readonly #folder: string;
  /** Trees by the number of the newest edit then; 0 is the start. */
  readonly #trees = new Map<number, Tree>();
  /** What each edit found at its path, and what it left there. */
  readonly #edits = new Map<number, { before: string | undefined; after: string | undefined }>();
  #calls = 0;
  #mine: string | undefined;

  constructor(opened: WatchedHistory, folder: string) {
    this.#opened = opened;
    this.#folder = folder;
    this.#trees.set(0, this.#tree());
  }

  async take(one: Action): Promise<void> {
    const { history, watch } = this.#opened;
    const [newest, before] = [this.#newest, this.#tree()];
    const callId = `call-${(this.#calls += 1)}`;
    if (one.kind === 'by hand') writeFileSync(path.join(this.#folder, MINE), (this.#mine = one.text));
    if (one.kind === 'command') {
      const quiet = `{ ${one.script}; } 2>/dev/null || true`;
      await watch(callId, () => execFileSync('bash', ['-c', quiet], { cwd: this.#folder }));
    }
    if (one.kind === 'edit') await this.#edit(one.name, one.text, callId);
    if (one.kind === 'undo' || one.kind === 'redo') await this.#turn(one.kind, one.pick, newest, before);
    if (one.kind === 'undo call' || one.kind === 'redo call') {
      const calls = [...new Set(history.list({ limit: 1000 }).flatMap(({ callId: id }) => id ?? []))];
      const call = calls[one.pick % calls.length];
      const kind = one.kind === 'undo call' ? 'undo' : 'redo';
      if (call !== undefined) await history.revert({ callId: call }, kind, agentActor);
      this.#compare(newest, before);
    }
    if (one.kind === 'go back') {
      const points = [...this.#trees.keys()];
      await this.goBack(points[one.pick % points.length] ?? 0);
    }
    this.#remember(newest, before);
  }

  /** Everything is as it was then, and what is the person's stays. */
  async goBack(since: number): Promise<void> {
    const { history } = this.#opened;
    const { left } = await history.revert({ sessionId: agentActor.sessionId, since }, 'undo', agentActor);
    expect(left).toEqual([]);
    expect(this.#tree()).toEqual(this.#trees.get(since));
    expect(treeOf(this.#folder)[MINE]).toEqual(this.#mine === undefined ? undefined : `644 ${this.#mine}`);
  }

  /** The number of the newest edit, whatever it is. */
  get #newest(): number {
    return this.#opened.history.list({ limit: 1 })[0]?.id ?? 0;
  }

  /** The edits that are newer than this one, the oldest first. */
  #since(newest: number): EditView[] {
    const edits = this.#opened.history.list({ limit: 1000 });
    return edits.filter(({ id }) => id > newest).reverse();
  }

  /** Without the file that is the person's alone. */
  #tree(): Tree {
    const { [MINE]: _mine, ...rest } = treeOf(this.#folder);
    return rest;
  }

  #nameOf(edit: { path: string }): string {
    return path.relative(this.#folder, edit.path);
  }

  #remember(newest: number, before: Tree): void {
    const tree = this.#tree();
    // What is recorded nowhere did not happen.
    if (this.#newest === newest) expect(tree).toEqual(before);
    this.#trees.set(this.#newest, tree);
    for (const edit of this.#since(newest)) {
      if (edit.of !== undefined) continue;
      const key = this.#nameOf(edit);
      this.#edits.set(edit.id, { before: before[key], after: tree[key] });
    }
  }

  async #edit(file: string, written: string | null, callId: string): Promise<void> {
    const target = path.join(this.#folder, file);
    let above = path.dirname(target);
    while (!isThere(above)) above = path.dirname(above);
    // The editor edits files by their real path; folders that are missing come with them.
    if (!lstatSync(above).isDirectory() || realpathSync(above) !== above) return;
    const stats = lstatSync(target, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) return;
    const before = stats ? readFileSync(target) : null;
    const after = written === null ? null : Buffer.from(written);
    if (before === after || (before && after?.equals(before))) return;
    await this.#opened.history.apply({ path: target, before, after, actor: { ...agentActor, callId } });
  }

  /** One edit taken back or done again: or it is refused and nothing is changed. */
  async #turn(kind: 'undo' | 'redo', pick: number, newest: number, before: Tree): Promise<void> {
    const { history } = this.#opened;
    const edits = history.list({ limit: 1000 });
    const edit = edits[pick % edits.length];
    if (!edit) return;
    try {
      await history[kind](edit.id, agentActor);
      this.#compare(newest, before);
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error;
      expect(this.#tree()).toEqual(before);
    }
  }

  /** What was taken back or done again since `newest` is as it was then, and nothing else is changed. */
  #compare(newest: number, before: Tree): void {
    const tree = this.#tree();
    const last = new Map(this.#since(newest).map((edit): [string, EditView] => [this.#nameOf(edit), edit]));
    for (const key of new Set([...Object.keys(before), ...Object.keys(tree)])) {
      const edit = last.get(key);
      const states = this.#edits.get(edit?.of ?? 0);
      // A folder that was missing for what came back.
      if (edit?.entry === 'folder' && edit.of === undefined) expect([key, tree[key]]).toEqual([key, '755 /']);
      else if (edit) expect([key, tree[key]]).toEqual([key, edit.kind === 'undo' ? states?.before : states?.after]);
      else expect([key, tree[key]]).toEqual([key, before[key]]);
    }
  }
}

it('any mix of edits, commands and undos goes back to each point of the session, and to the start, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const [home, folder] = [temporaryFolder(), temporaryFolder()];
      execFileSync('bash', ['-c', `mkdir -p d/f; printf 'one\\r\\ntwo' >a; echo g >d/f/g`], { cwd: folder });
      using opened = await openWatchedHistory(home, folder);
      const mixed = new Mixed(opened, folder);
      for (const one of actions) await mixed.take(one);
      await mixed.goBack(0);
      await opened.snapshots[Symbol.asyncDispose]();
      await opened.history[Symbol.asyncDispose]();
    }),
    { numRuns: 40 },
  );
}, 120_000);
