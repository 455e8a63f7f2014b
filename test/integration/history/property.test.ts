import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CausewayError } from '../../../src-shared/index.ts';
import { agentActor, openTestHistory, type OpenedHistory } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

type State = Buffer | null;

/** What the history should do, kept in memory: per file its bytes and stacks of done and undone edits. */
interface ModelFile {
  state: State;
  done: { id: number; before: State }[];
  undone: { id: number; after: State }[];
}

const text = fc.oneof(
  fc.string({ maxLength: 30 }).map((value) => Buffer.from(value)),
  fc
    .array(fc.constantFrom('a\n', 'b\r\n', 'longer line\n', '\t'), { maxLength: 20 })
    .map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value)),
  // Large enough to leave the row and go to the blob store.
  fc.integer({ min: 0, max: 3 }).map((value) => Buffer.alloc(20_000, `${value} filler\n`)),
);
type Action =
  | { kind: 'write'; text: Buffer }
  | { kind: 'delete' | 'undo' | 'redo' }
  /** Undo of an edit that is not the newest. */
  | { kind: 'undo an older one'; id: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: text.map((bytes): Action => ({ kind: 'write', text: bytes })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom('delete', 'undo', 'undo', 'undo', 'redo', 'redo').map((kind): Action => ({ kind })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }).map((id): Action => ({ kind: 'undo an older one', id })) },
);
const step = fc.record({ file: fc.integer({ min: 0, max: 1 }), action });

function stateOf(file: string): State {
  return existsSync(file) ? readFileSync(file) : null;
}

async function take({ history }: OpenedHistory, file: string, model: ModelFile, action: Action): Promise<void> {
  switch (action.kind) {
    case 'write':
    case 'delete': {
      const after = action.kind === 'write' ? action.text : null;
      const same = after === null ? model.state === null : model.state !== null && after.equals(model.state);
      const applied = history.apply({ path: file, before: model.state, after, actor: agentActor });
      if (same) return expect(applied).rejects.toMatchObject({ code: 'bad_input' });
      model.done.push({ id: (await applied).id, before: model.state });
      model.undone = [];
      model.state = after;
      return;
    }
    case 'undo': {
      const top = model.done.pop();
      expect(history.newestUndoable(file, { all: true })?.id).toBe(top?.id);
      if (!top) return;
      await history.undo(top.id, agentActor);
      model.undone.push({ id: top.id, after: model.state });
      model.state = top.before;
      return;
    }
    case 'redo': {
      const top = model.undone.pop();
      if (!top) return;
      await history.redo(top.id, agentActor);
      model.done.push({ id: top.id, before: model.state });
      model.state = top.after;
      return;
    }
    case 'undo an older one': {
      // Only the newest edit of a file may be taken back; anything else must be refused and change nothing.
      if (model.done.at(-1)?.id === action.id) return;
      const edits = history.list({ limit: 1000 });
      const original = edits.find(({ id, kind, path: at }) => id === action.id && at === file && !/do$/.test(kind));
      if (!original) return;
      await expect(history.undo(action.id, agentActor)).rejects.toBeInstanceOf(CausewayError);
    }
  }
}

describe('any row of edits, undos and redos', () => {
  it('leaves what a model in memory says, and goes back to the start byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const workspace = temporaryFolder();
        using opened = await openTestHistory(temporaryFolder(), workspace);
        const models: ModelFile[] = [0, 1].map(() => ({ state: null, done: [], undone: [] }));
        const fileAt = (index: number): string => path.join(workspace, `file-${index}`);
        for (const { file, action } of steps) {
          const model = models[file];
          if (!model) continue;
          await take(opened, fileAt(file), model, action);
          expect(stateOf(fileAt(file))).toEqual(model.state);
        }
        for (const [index, model] of models.entries()) {
          while (model.done.length > 0) {
            await take(opened, fileAt(index), model, { kind: 'undo' });
            expect(stateOf(fileAt(index))).toEqual(model.state);
          }
          expect(stateOf(fileAt(index))).toBeNull();
        }
        // Whatever was recorded can be shown.
        for (const edit of opened.history.list({ limit: 1000 })) opened.history.show(edit.id);
      }),
      { numRuns: 40 },
    );
  });
});
