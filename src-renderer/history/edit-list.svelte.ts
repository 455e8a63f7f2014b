import type { EditView, RpcInput } from '../../src-shared/index.ts';
import type { Rpc } from '../rpc/client.ts';
import { createLoadable } from '../stores/loadable.svelte.ts';

const PAGE = 100;

/** Edits, the newest first, page by page. */
export interface EditList {
  readonly edits: readonly EditView[] | undefined;
  readonly error: string | undefined;
  readonly loading: boolean;
  /** True when there are older edits than those that are here. */
  readonly more: boolean;
  /** The first page of what is asked for now. */
  readonly load: () => Promise<void>;
  /** As many edits as there are, anew. */
  readonly reload: () => Promise<void>;
  /** One page more. */
  readonly older: () => Promise<void>;
}

/** @param query what is asked for; it is asked at each load. */
export function createEditList(rpc: Rpc, query: () => RpcInput<'history.list'>): EditList {
  let wanted = PAGE;

  const list = createLoadable(async () => {
    const asked = query();
    const goal = wanted;
    const edits: EditView[] = [];
    for (;;) {
      const last = edits.at(-1);
      const page = await rpc.call('history.list', { ...asked, ...(last && { beforeId: last.id }), limit: PAGE });
      edits.push(...page);
      if (page.length < PAGE) return { edits, more: false };
      if (edits.length >= goal) return { edits, more: true };
    }
  });

  return {
    get edits() {
      return list.value?.edits;
    },
    get error() {
      return list.error;
    },
    get loading() {
      return list.loading;
    },
    get more() {
      return list.value?.more ?? false;
    },
    load() {
      wanted = PAGE;
      return list.load();
    },
    reload: list.load,
    older() {
      wanted += PAGE;
      return list.load();
    },
  };
}
