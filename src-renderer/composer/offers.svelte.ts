import type { AttachmentRef } from '../../src-shared/index.ts';
import type { App } from '../stores/app.svelte.ts';
import { promptParts } from './prompt-parts.ts';
import { entryArguments, entryName, findTrigger, menuEntries, type MenuEntry } from './offer-menu.ts';

/** The composer's side of what attached servers offer: the menu while typing, values to fill in, what is attached. */
export interface ComposerOffers {
  /** The lines of the menu; empty while it is closed. */
  readonly entries: readonly MenuEntry[];
  readonly active: number;
  /** The offer whose values are being filled in. */
  readonly filling: MenuEntry | undefined;
  readonly busy: boolean;
  attachments: readonly AttachmentRef[];
  /** Text or caret changed. */
  look(text: string, caret: number): void;
  close(): void;
  /** Takes a key of the text field; true when it was for the menu. */
  key(event: KeyboardEvent): boolean;
  choose(entry: MenuEntry): void;
  use(values: Record<string, string>): Promise<void>;
}

/** @param replace puts a text in place of what was typed for the menu, from the sign to the caret. */
export function createComposerOffers(
  app: App,
  replace: (from: number, to: number, text: string) => void,
  say: (partsLeftOut: number) => void,
): ComposerOffers {
  let entries = $state.raw<readonly MenuEntry[]>([]);
  let active = $state(0);
  let filling = $state.raw<MenuEntry>();
  let busy = $state(false);
  let attachments = $state.raw<readonly AttachmentRef[]>([]);
  let typed = { from: 0, to: 0 };
  /** Closed by the person: stays so until another word is begun. */
  let closedAt: number | undefined;

  function close(): void {
    entries = [];
    active = 0;
  }

  function attach(ref: AttachmentRef): void {
    if (!attachments.some(({ server, uri }) => server === ref.server && uri === ref.uri)) {
      attachments = [...attachments, ref];
    }
  }

  async function fill(entry: MenuEntry, values: Record<string, string>): Promise<void> {
    const { server } = entry.offer;
    const name = entryName(entry);
    if (entry.kind === 'resource') return attach({ server, uri: entry.offer.uri, name });
    if (entry.kind === 'template') {
      const { uri } = await app.rpc.call('server.expand', { uriTemplate: entry.offer.uriTemplate, values });
      return attach({ server, uri, name: uri });
    }
    const { messages } = await app.rpc.call('server.prompt', { server, name: entry.offer.name, values });
    const {
      text,
      attachments: named,
      leftOut,
    } = promptParts(
      server,
      messages.map(({ content }) => content),
    );
    // The person sees, and can change, what a server wrote, before it is sent in their name.
    replace(0, 0, text);
    for (const ref of named) attach(ref);
    if (leftOut > 0) say(leftOut);
  }

  async function use(values: Record<string, string>): Promise<void> {
    const entry = filling;
    if (!entry) return;
    busy = true;
    const done = await app.notices.guard(async () => {
      await fill(entry, values);
      return true;
    });
    busy = false;
    if (done) filling = undefined;
  }

  return {
    get entries() {
      return entries;
    },
    get active() {
      return active;
    },
    get filling() {
      return filling;
    },
    get busy() {
      return busy;
    },
    get attachments() {
      return attachments;
    },
    set attachments(next) {
      attachments = next;
    },
    look(text, caret) {
      const trigger = findTrigger(text, caret);
      if (!trigger) closedAt = undefined;
      if (!trigger || trigger.from === closedAt) return close();
      const found = app.offers.value ? menuEntries(app.offers.value, trigger) : [];
      if (found[active]?.key !== entries[active]?.key) active = 0;
      entries = found;
      typed = { from: trigger.from, to: caret };
    },
    close() {
      closedAt = typed.from;
      filling = undefined;
      close();
    },
    key(event) {
      const entry = entries[active];
      if (!entry) return false;
      if (event.key === 'ArrowDown') active = (active + 1) % entries.length;
      else if (event.key === 'ArrowUp') active = (active + entries.length - 1) % entries.length;
      else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') this.choose(entry);
      else if (event.key === 'Escape') this.close();
      else return false;
      event.preventDefault();
      return true;
    },
    choose(entry) {
      replace(typed.from, typed.to, '');
      close();
      filling = entry;
      if (entryArguments(entry).length === 0) void use({});
    },
    use,
  };
}
