import {
  CausewayError,
  type CompletionTarget,
  type ContentPart,
  type ServerOffers,
} from '../../../../src-shared/index.ts';
import type { FilledPrompt, OffersSide } from './offers-side.ts';

/** Resources and prompts of all attached servers. What they hold is from outside: untrusted, and attributed wherever it goes. */
export interface Beside {
  list(): ServerOffers;
  /** The contents of a resource, as parts. @throws CausewayError */
  read(server: string, uri: string, signal: AbortSignal): Promise<ContentPart[]>;
  /** @throws CausewayError */
  prompt(server: string, name: string, values: Record<string, string>, signal: AbortSignal): Promise<FilledPrompt>;
  /** Never rejects, save for a server that is not there. */
  complete(
    server: string,
    target: CompletionTarget,
    argument: { name: string; value: string },
    others: Record<string, string>,
  ): Promise<string[]>;
  /** @throws CausewayError */
  subscribe(server: string, uri: string): Promise<void>;
  unsubscribe(server: string, uri: string): Promise<void>;
  /** Something came, went, or is described in another way. */
  onChange(listener: () => void): Disposable;
  /** A watched resource has other contents. */
  onResourceUpdated(listener: (resource: { server: string; uri: string }) => void): Disposable;
}

export function createBeside({
  sides,
  sideOf,
  ...events
}: Pick<Beside, 'onChange' | 'onResourceUpdated'> & {
  sides: () => readonly OffersSide[];
  /** @throws CausewayError `not_found` for a server that is not there. */
  sideOf: (server: string) => OffersSide | undefined;
}): Beside {
  function of(server: string): OffersSide {
    const side = sideOf(server);
    if (side) return side;
    throw new CausewayError('unavailable', `The entry of "${server}" in the config file can not be used.`);
  }
  return {
    list() {
      const all = sides().map(({ current }) => current);
      return {
        resources: all.flatMap(({ resources }) => resources),
        templates: all.flatMap(({ templates }) => templates),
        prompts: all.flatMap(({ prompts }) => prompts),
      };
    },
    read: async (server, uri, signal) => of(server).read(uri, signal),
    prompt: async (server, name, values, signal) => of(server).prompt(name, values, signal),
    complete: async (server, target, argument, others) => of(server).complete(target, argument, others),
    subscribe: async (server, uri) => of(server).subscribe(uri),
    unsubscribe: async (server, uri) => of(server).unsubscribe(uri),
    ...events,
  };
}
