import type { ServerOffers, ServerPrompt, ServerResource, ServerTemplate } from '../../src-shared/index.ts';

/** What is being typed: `@` and a name of a resource, or, at the very beginning, `/` and a name of a prompt. */
export interface Trigger {
  readonly kind: 'resource' | 'prompt';
  /** Where the sign stands in the text. */
  readonly from: number;
  readonly query: string;
}

/** A line of the menu. */
export type MenuEntry =
  | { readonly kind: 'resource'; readonly key: string; readonly offer: ServerResource }
  | { readonly kind: 'template'; readonly key: string; readonly offer: ServerTemplate }
  | { readonly kind: 'prompt'; readonly key: string; readonly offer: ServerPrompt };

/** Lines that are shown at most; typing more finds the others. */
const MOST_ENTRIES = 50;

/** What is being typed before the caret; undefined when that is plain text. */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const prompt = /^\/(\S*)$/.exec(before);
  if (prompt) return { kind: 'prompt', from: 0, query: prompt[1] ?? '' };
  const resource = /(?:^|\s)@(\S*)$/.exec(before);
  if (!resource) return undefined;
  const query = resource[1] ?? '';
  return { kind: 'resource', from: caret - query.length - 1, query };
}

/** What fits what is typed: in name, title, address or server; those that begin with it first. */
export function menuEntries(offers: ServerOffers, { kind, query }: Trigger): MenuEntry[] {
  const all: MenuEntry[] =
    kind === 'prompt'
      ? offers.prompts.map((offer) => ({ kind: 'prompt', key: `${offer.server}\n${offer.name}`, offer }))
      : [
          ...offers.resources.map((offer): MenuEntry => ({
            kind: 'resource',
            key: `${offer.server}\n${offer.uri}`,
            offer,
          })),
          ...offers.templates.map((offer): MenuEntry => ({
            kind: 'template',
            key: `${offer.server}\n${offer.uriTemplate}`,
            offer,
          })),
        ];
  const wanted = query.toLowerCase();
  const ranked = all.flatMap((entry) => {
    const words = searched(entry).map((word) => word.toLowerCase());
    if (!words.some((word) => word.includes(wanted))) return [];
    return [{ entry, rank: words.some((word) => word.startsWith(wanted)) ? 0 : 1 }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_ENTRIES)
    .map(({ entry }) => entry);
}

/** What a line calls its offer. */
export function entryName({ offer }: MenuEntry): string {
  return offer.title ?? offer.name;
}

/** Where it is, or what it is about. */
export function entryDetail(entry: MenuEntry): string {
  switch (entry.kind) {
    case 'resource':
      return entry.offer.uri;
    case 'template':
      return entry.offer.uriTemplate;
    case 'prompt':
      return entry.offer.description ?? '';
  }
}

/** The values that have to be filled in before the offer can be used. */
export function entryArguments(entry: MenuEntry): ServerPrompt['arguments'] {
  if (entry.kind === 'prompt') return entry.offer.arguments;
  if (entry.kind === 'template') return entry.offer.variables.map((name) => ({ name, required: true }));
  return [];
}

function searched(entry: MenuEntry): string[] {
  const { name, title = '', server } = entry.offer;
  return entry.kind === 'prompt' ? [name, title, server] : [name, title, server, entryDetail(entry)];
}
