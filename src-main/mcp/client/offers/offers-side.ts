import { UriTemplate, type Client, type McpSubscription, type RequestOptions } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  CausewayError,
  contentPart,
  describeError,
  text,
  type CompletionTarget,
  type ContentPart,
  type ServerOffers,
} from '../../../../src-shared/index.ts';
import { lenient } from '../lenient-client.ts';
import { requestWithInput, type RequestSide } from '../requests/index.ts';
import { listPrompts, listResources, NO_OFFERS, type ListLimits } from './list-offers.ts';

/** What reading a resource or getting a prompt may take, in milliseconds. */
const READ_MS = 60_000;
const COMPLETE_MS = 5_000;

const readResult = lenient(
  z.looseObject({
    contents: z.array(
      z.looseObject({
        uri: z.string(),
        mimeType: z.string().optional(),
        text: z.string().optional(),
        blob: z.string().optional(),
      }),
    ),
  }),
);
const promptResult = lenient(
  z.looseObject({
    description: z.string().optional(),
    messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.unknown() })),
  }),
);

/** A prompt, filled in. */
export interface FilledPrompt {
  description: string | undefined;
  messages: { role: 'user' | 'assistant'; content: ContentPart }[];
}

/** What one server offers beside tools: listed, read, filled in, watched. */
export interface OffersSide {
  /** The same object until something changes. */
  readonly current: ServerOffers;
  /** A connection is there, or gone. */
  use(client: Client | undefined, signal: AbortSignal): void;
  /** Lists again what the server says has changed. */
  changed(what: 'resources' | 'prompts'): void;
  /** @throws CausewayError */
  read(uri: string, signal: AbortSignal): Promise<ContentPart[]>;
  /** @throws CausewayError */
  prompt(name: string, values: Record<string, string>, signal: AbortSignal): Promise<FilledPrompt>;
  /** Suggestions for a value that is being filled in; none where the server has none. Never rejects. */
  complete(
    target: CompletionTarget,
    argument: { name: string; value: string },
    others: Record<string, string>,
  ): Promise<string[]>;
  /** From now on the server says when this resource changes. @throws CausewayError */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

export function createOffersSide({
  server,
  limits,
  requests,
  onChange,
}: {
  server: string;
  limits: ListLimits;
  requests: RequestSide;
  onChange: () => void;
}): OffersSide {
  let client: Client | undefined;
  let ended = new AbortController().signal;
  let current = NO_OFFERS;
  const watched = new Set<string>();
  /** On the new protocol, one stream for all watched resources. */
  let stream: Promise<McpSubscription> | undefined;

  async function list(what: 'resources' | 'prompts'): Promise<void> {
    const asked = client;
    if (!asked) return;
    const options = { limits, signal: ended };
    // What can not be listed is not there: tools do not depend on it.
    const found =
      what === 'resources'
        ? await listResources(asked, server, options).catch(() => ({ resources: [], templates: [] }))
        : { prompts: await listPrompts(asked, server, options).catch(() => []) };
    if (client !== asked) return;
    current = { ...current, ...found };
    onChange();
  }

  function connected(): Client {
    if (client) return client;
    throw new CausewayError('unavailable', `The server "${server}" is not running.`, {
      hint: 'Restart it on the Servers page.',
    });
  }

  async function ask<S extends z.ZodType>(
    request: Parameters<typeof requestWithInput>[1],
    schema: z.ZodPreprocess<S>,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    const options: RequestOptions = { signal, timeout: READ_MS };
    try {
      return await requestWithInput(connected(), request, schema, options, requests.answerFor(undefined, signal));
    } catch (error) {
      if (error instanceof CausewayError) throw error;
      throw new CausewayError('protocol', `"${server}" did not give it: ${describeError(error)}`, { cause: error });
    }
  }

  /** The new protocol has no single subscriptions: the stream is opened again with the whole list. */
  async function relisten(asked: Client): Promise<void> {
    const former = stream;
    stream = watched.size > 0 ? asked.listen({ resourceSubscriptions: [...watched] }) : undefined;
    await (await former?.catch(() => undefined))?.close();
    await stream;
  }

  return {
    get current() {
      return current;
    },
    use(next, signal) {
      client = next;
      ended = signal;
      current = NO_OFFERS;
      stream = undefined;
      watched.clear();
      if (next) void Promise.all([list('resources'), list('prompts')]);
    },
    changed: (what) => void list(what),
    async read(uri, signal) {
      const { contents } = await ask({ method: 'resources/read', params: { uri } }, readResult, signal);
      return contents.map((resource) => contentPart.parse({ type: 'resource', resource }));
    },
    async prompt(name, values, signal) {
      const found = await ask({ method: 'prompts/get', params: { name, arguments: values } }, promptResult, signal);
      return {
        description: found.description,
        messages: found.messages.map(({ role, content }) => {
          const part = contentPart.safeParse(content);
          return { role, content: part.success ? part.data : text(JSON.stringify(content) ?? '') };
        }),
      };
    },
    async complete(target, argument, others) {
      const asked = client;
      if (!asked?.getServerCapabilities()?.completions) return [];
      try {
        const ref =
          'prompt' in target
            ? ({ type: 'ref/prompt', name: target.prompt } as const)
            : ({ type: 'ref/resource', uri: target.uriTemplate } as const);
        const { completion } = await asked.complete(
          { ref, argument, context: { arguments: others } },
          { timeout: COMPLETE_MS, signal: ended },
        );
        return completion.values;
      } catch {
        // A suggestion that does not come is no fault of what the person does.
        return [];
      }
    },
    async subscribe(uri) {
      const asked = connected();
      if (!asked.getServerCapabilities()?.resources?.subscribe) {
        throw new CausewayError('unavailable', `"${server}" does not tell when a resource changes.`);
      }
      watched.add(uri);
      if (asked.getProtocolEra() === 'modern') await relisten(asked);
      else await asked.subscribeResource({ uri });
    },
    async unsubscribe(uri) {
      if (!watched.delete(uri) || !client) return;
      if (client.getProtocolEra() === 'modern') await relisten(client);
      else await client.unsubscribeResource({ uri });
    },
  };
}

/**
 * The address that a template and its values make.
 * @throws CausewayError `bad_input` when it is no template.
 */
export function expandTemplate(uriTemplate: string, values: Record<string, string>): string {
  try {
    return new UriTemplate(uriTemplate).expand(values);
  } catch (cause) {
    throw new CausewayError('bad_input', `"${uriTemplate}" is no template of an address.`, { cause });
  }
}
