import {
  specTypeSchemas,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitResult,
  type InputResponse,
  type ListRootsResult,
  type SpecTypeName,
  type SpecTypes,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { CausewayError } from '../../../../src-shared/index.ts';
import type { Allowance } from './allowances.ts';
import type { RequestOrigin, SamplingRequest, ServerHost } from './contract.ts';

/** Characters of a server's question to the model that the person is shown at once. */
const SHOWN_LENGTH = 20_000;
/** A form is flat. */
const flatContent = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** A request as a server sends it, not yet looked at. */
export interface RawRequest {
  method: string;
  params?: unknown;
}

/** What is needed to answer a server. */
export interface Answering {
  host: ServerHost;
  allowed: ReadonlySet<Allowance>;
  origin: RequestOrigin;
}

/**
 * What a server gets for something that it asks.
 * @throws CausewayError `bad_input` for what is no such request, `refused` for what is not allowed or was declined.
 */
export function answerRequest(request: RawRequest, answering: Answering): Promise<InputResponse> {
  switch (request.method) {
    case 'elicitation/create':
      return answerElicitation(request, answering);
    case 'sampling/createMessage':
      return answerSampling(request, answering);
    case 'roots/list':
      return answerRoots(answering);
    default:
      throw new CausewayError(
        'protocol',
        `"${answering.origin.server}" asked for "${request.method}", which is not known here.`,
      );
  }
}

/** A form or a link, put to the person. */
export async function answerElicitation(request: RawRequest, { host, origin }: Answering): Promise<ElicitResult> {
  const { params } = read('ElicitRequest', request);
  const { message } = params;
  const { action, content } = await host.ask(
    params.mode === 'url'
      ? { kind: 'url', message, url: params.url }
      : { kind: 'form', message, schema: z.record(z.string(), z.json()).parse(params.requestedSchema) },
    origin,
  );
  return { action, ...(action === 'accept' && content && { content: flatContent.parse(content) }) };
}

/** A question to the person's model, after their yes. */
export async function answerSampling(
  request: RawRequest,
  { host, allowed, origin }: Answering,
): Promise<CreateMessageResult> {
  if (!allowed.has('sampling')) throw notAllowed('sampling', origin.server);
  const { params } = read('CreateMessageRequest', request);
  const wanted: SamplingRequest = {
    messages: params.messages.map(({ role, content }) => readMessage(role, content)),
    system: params.systemPrompt,
    maxTokens: params.maxTokens,
  };
  const shown = wanted.messages.map(({ text }) => text).join('\n\n');
  const { action } = await host.ask(
    {
      kind: 'sampling',
      message: shown.slice(0, SHOWN_LENGTH),
      maxTokens: wanted.maxTokens,
      ...(wanted.system !== undefined && { system: wanted.system.slice(0, SHOWN_LENGTH) }),
    },
    origin,
  );
  if (action !== 'accept') throw new CausewayError('refused', 'The person did not allow it.');
  const { model, text } = await host.sample(wanted, origin.signal);
  return { model, role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' };
}

/** The folders that a server may work in. */
export async function answerRoots({ host, allowed, origin }: Answering): Promise<ListRootsResult> {
  if (!allowed.has('roots')) throw notAllowed('roots', origin.server);
  return { roots: host.roots() };
}

function readMessage(
  role: 'user' | 'assistant',
  content: CreateMessageRequest['params']['messages'][number]['content'],
): SamplingRequest['messages'][number] {
  const parts = Array.isArray(content) ? content : [content];
  return {
    role,
    text: parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n'),
    images: parts.flatMap((part) => (part.type === 'image' ? [{ data: part.data, mimeType: part.mimeType }] : [])),
  };
}

function read<N extends SpecTypeName>(name: N, request: unknown): SpecTypes[N] {
  const checked = specTypeSchemas[name]['~standard'].validate(request);
  if (checked.issues === undefined) return checked.value;
  const what = checked.issues[0]?.message ?? '';
  throw new CausewayError('bad_input', `This is no ${name} of MCP: ${what}`);
}

function notAllowed(what: Allowance, server: string): CausewayError {
  return new CausewayError('refused', `"${server}" is not allowed ${what}.`, {
    hint: `Add "allow": ["${what}"] to its entry in the config file, if you want it to.`,
  });
}
