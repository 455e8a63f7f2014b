import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  CausewayError,
  describeError,
  type EventBody,
  type Settings,
  type ToolResult,
} from '../../src-shared/index.ts';
import type { BlobStore, EventLog } from '../store/index.ts';
import type { Gateway, Tool, ToolSource } from '../tools/index.ts';
import { withGrace } from './abort.ts';
import { runBatch } from './batch.ts';
import type { Finish, Model, RunEnd } from './contract.ts';
import { readConversation, toolEntry, type Entry } from './conversation.ts';
import { CHARACTERS_PER_TOKEN, fitConversation, type Budget } from './fit.ts';
import { ModelLimitError } from './limit-error.ts';
import { buildRequest } from './request.ts';
import { think, type Thought } from './think.ts';
import type { ToolSelection } from './tool-selection.ts';

/** A model whose window is not known is taken to have this many tokens. */
export const DEFAULT_CONTEXT_TOKENS = 128_000;
/** Part of the window that the conversation may fill; the rest is for tools, prompt and answer. */
const CONVERSATION_SHARE = 0.7;
const MAX_IMAGES = 6;
/** How long a stopped run waits for the results of its tools, in milliseconds: they may hold output. */
const STOP_GRACE_MS = 80;
/** Servers that announce no changes are asked for their tools every so many steps. */
const RELIST_STEPS = 5;
/** A server that does not answer that holds nobody up for longer, in milliseconds. */
const RELIST_MS = 2_000;
/** A conversation that is still refused after being halved this often will not fit. */
const MAX_SHRINKS = 3;

export interface LoopParts {
  runId: string;
  sessionId: string;
  model: Model;
  signal: AbortSignal;
  gateway: Gateway;
  source: ToolSource;
  events: EventLog;
  blobs: BlobStore;
  settings: () => Settings;
  /** Which of the tools the model is shown. */
  selection: ToolSelection;
  /** The system prompt as it stands now, and what attached servers say of themselves. */
  told: () => { system: string; notes: string | undefined };
  /** Set by the terminate tool. */
  finish: () => Finish | undefined;
  onText: (messageId: string, text: string) => void;
  /** Lists the tools of attached servers again. Never rejects. */
  relist?: (() => Promise<void>) | undefined;
}

type Ending = Omit<RunEnd, 'runId'>;

/** Thinks and acts until there is an end. Never rejects. */
export async function runLoop(parts: LoopParts): Promise<Ending> {
  const loop = createLoop(parts);
  const maxSteps = parts.settings().agent.maxSteps;
  for (let step = 1; step <= maxSteps; step += 1) {
    const ending = await loop.step(step);
    if (ending) return { ...ending, steps: step };
  }
  return {
    outcome: 'step_limit',
    message: `The run reached its limit of ${maxSteps} steps before it was done. Send a message to go on, or raise the limit in Settings.`,
    steps: maxSteps,
  };
}

function createLoop(parts: LoopParts): { step(number: number): Promise<Omit<Ending, 'steps'> | undefined> } {
  const { events, sessionId, runId, model, signal, source, selection } = parts;
  const entries: Entry[] = readConversation(events.read(sessionId));
  const budget: Budget = {
    characters: Math.floor((model.contextTokens ?? DEFAULT_CONTEXT_TOKENS) * CHARACTERS_PER_TOKEN * CONVERSATION_SHARE),
    images: MAX_IMAGES,
  };
  let tools = byName(source);
  let searching = selection.searching;
  /** Whose tools this run has used: servers by name, and undefined for Causeway itself. */
  const reliedOn = new Set<string | undefined>();
  // What was used in this conversation is likely to be used again.
  selection.add(entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.name] : [])));

  function note(text: string): void {
    events.append(sessionId, { type: 'note', runId, text });
    entries.push({ kind: 'note', text });
  }

  /** Tools of attached servers come and go: the model is told, because it may be counting on them. */
  function tellToolChanges(): void {
    const before = tools;
    tools = byName(source);
    const names = (list: Iterable<string>): string => [...list].join(', ');
    const added = [...tools.keys()].filter((name) => !before.has(name));
    const removed = [...before.keys()].filter((name) => !tools.has(name));
    const changed = [...tools].filter(([name, tool]) => before.has(name) && looksNew(tool, before.get(name)));
    const shown = byName(selection);
    const listed = added.filter((name) => shown.has(name));
    if (listed.length > 0) note(`New tools available: ${names(listed)}.`);
    if (listed.length < added.length) note('There are new tools that are not listed: find_tools finds them.');
    if (selection.searching && !searching)
      note('There are too many tools to list them all now: find_tools finds the others.');
    searching = selection.searching;
    if (removed.length > 0) note(`Tools no longer available: ${names(removed)}.`);
    if (changed.length > 0) note(`Tools that work in another way now: ${names(changed.map(([name]) => name))}.`);
  }

  async function relist(number: number): Promise<void> {
    if (!parts.relist || number === 1 || number % RELIST_STEPS !== 1) return;
    await Promise.race([parts.relist(), delay(RELIST_MS, undefined, { ref: false })]);
  }

  /** Why the run can not go on: what it worked with is gone, all of it. */
  function toolsGone(): string | undefined {
    if (source.tools().length === 0) return 'There is no tool left to work with.';
    if (reliedOn.size === 0 || reliedOn.has(undefined)) return undefined;
    const there = new Set(source.tools().map(serverOf));
    if ([...reliedOn].some((server) => there.has(server))) return undefined;
    const names = [...reliedOn].map((server) => `"${server}"`).join(', ');
    return `All tools that this run worked with are gone: those of ${names}.`;
  }

  /** One answer; where the endpoint refuses size or images, with less of them. */
  async function answer(messageId: string): Promise<Thought> {
    for (let shrinks = 0; ; shrinks += 1) {
      const request = buildRequest(parts.told(), fitConversation(entries, budget), selection, parts.blobs);
      const thought = await think(model, request, {
        signal,
        onText: (text) => parts.onText(messageId, text),
        onNotice: (text) => events.append(sessionId, { type: 'notice', runId, text }),
      });
      if (!(thought.error instanceof ModelLimitError) || shrinks === MAX_SHRINKS) return thought;
      if (thought.error.limit === 'images') budget.images = 0;
      else budget.characters = Math.floor(budget.characters / 2);
    }
  }

  async function act(thought: Thought): Promise<void> {
    for (const { name } of thought.toolCalls) {
      const tool = source.tools().find((item) => item.name === name);
      if (tool) reliedOn.add(serverOf(tool));
    }
    const working = runBatch(thought.toolCalls, {
      gateway: parts.gateway,
      source,
      sessionId,
      runId,
      signal,
      finished: () => parts.finish() !== undefined,
    });
    const results: ToolResult[] = (await withGrace(working, signal, STOP_GRACE_MS)) ?? [];
    thought.toolCalls.forEach((call, index) => {
      const result = results[index];
      entries.push(toolEntry(call, result && parts.blobs.storeResult(result)));
    });
    selection.add(thought.toolCalls.map(({ name }) => name));
  }

  return {
    async step(number) {
      if (signal.aborted) return stopped(signal);
      await relist(number);
      if (signal.aborted) return stopped(signal);
      if (number > 1) {
        tellToolChanges();
        const why = toolsGone();
        if (why !== undefined)
          return { outcome: 'failed', message: `${why} Restart the server and send a message to go on.` };
      }
      const messageId = `${runId}-${number}`;
      const thought = await answer(messageId);
      record(thought, messageId);
      if (signal.aborted) return stopped(signal);
      if (thought.end === 'cut') return { outcome: 'model_error', message: cutMessage(thought) };
      if (thought.toolCalls.length === 0) return plainEnd(thought);
      await act(thought);
      if (signal.aborted) return stopped(signal);
      const finish = parts.finish();
      return finish && { outcome: finish.status === 'success' ? 'done' : 'failed', message: finish.message };
    },
  };

  function record(thought: Thought, messageId: string): void {
    const partial = thought.end === 'cut';
    // Calls of a message that was cut were never complete and are never run.
    const toolCalls = partial ? [] : thought.toolCalls;
    if (partial && !thought.text) return;
    const event: EventBody = {
      type: 'message.assistant',
      runId,
      messageId,
      text: thought.text,
      toolCalls,
      ...(thought.usage && { usage: thought.usage }),
      ...(partial && { partial }),
    };
    events.append(sessionId, event);
    entries.push({ kind: 'assistant', text: thought.text, toolCalls });
  }
}

function plainEnd(thought: Thought): Omit<Ending, 'steps'> {
  if (thought.end === 'length') {
    return {
      outcome: 'model_error',
      message: 'The answer was cut at the length limit of the model. Ask it to go on, or to answer in parts.',
    };
  }
  if (!thought.text.trim()) {
    return {
      outcome: 'model_error',
      message: 'The model answered nothing. Try again, or choose another model in Settings.',
    };
  }
  return { outcome: 'done', message: thought.text.trim() };
}

function cutMessage(thought: Thought): string {
  if (thought.error !== undefined) return describeError(thought.error);
  return 'The connection to the model broke off in the middle of its answer. Send a message to go on.';
}

function stopped(signal: AbortSignal): Omit<Ending, 'steps'> {
  const reason: unknown = signal.reason;
  return { outcome: 'stopped', message: reason instanceof CausewayError ? reason.message : 'The run was stopped.' };
}

function serverOf(tool: Tool): string | undefined {
  return tool.origin.kind === 'server' ? tool.origin.server : undefined;
}

function byName(source: ToolSource): Map<string, Tool> {
  return new Map(source.tools().map((tool) => [tool.name, tool]));
}

/** Whether a model would have to call it in another way. */
function looksNew(tool: Tool, former: Tool | undefined): boolean {
  if (!former || tool === former) return false;
  return tool.description !== former.description || !isDeepStrictEqual(tool.inputSchema, former.inputSchema);
}
