import { describe, expect, it, onTestFinished } from 'vitest';
import {
  image,
  success,
  text,
  type JsonObject,
  type SessionEvent,
  type ToolResult,
} from '../../../src-shared/index.ts';
import { createApprovals, createDesk } from '../../../src-main/approvals/index.ts';
import { createLocalOperator } from '../../../src-main/operator/index.ts';
import { openStore } from '../../../src-main/store/index.ts';
import {
  createCollection,
  createGateway,
  createInputCheck,
  type Gateway,
  type Tool,
  type ToolContext,
} from '../../../src-main/tools/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

type Execute = (input: JsonObject, context: ToolContext) => Promise<ToolResult>;

interface Bench {
  gateway: Gateway;
  desk: ReturnType<typeof createDesk>;
  sessionId: string;
  state(): string;
  events(): SessionEvent[];
  /** From now on the log takes no events of these kinds, as on a full disk. Gives how many it has refused. */
  refuseEvents(...types: string[]): () => number;
  call(name: string, input: unknown, signal?: AbortSignal): Promise<ToolResult>;
}

const asTool = (name: string, execute: Execute, extra: Partial<Tool> = {}): Tool => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, n: { type: 'number' } } },
  origin: { kind: 'builtin' },
  execute,
  ...extra,
});

/** A real gateway over a real store, with the given tools. */
function bench(tools: Tool[], { canAsk = true } = {}): Bench {
  const store = openStore({ home: temporaryFolder() });
  onTestFinished(() => store[Symbol.dispose]());
  const workspace = temporaryFolder();
  const { id: sessionId } = store.sessions.create({ title: '', workspace, origin: 'window' });
  store.sessions.update(sessionId, { state: 'running' });
  const desk = createDesk({ events: store.events, sessions: store.sessions, canAsk: () => canAsk });
  const gateway = createGateway({
    collection: createCollection([{ tools: () => tools }]),
    inputCheck: createInputCheck(),
    approvals: createApprovals({ mode: () => 'workspace', desk, canAsk: () => canAsk }),
    desk,
    events: store.events,
    blobs: store.blobs,
    outputs: store.outputs,
    capBytes: () => 2000,
    operatorOf: () => createLocalOperator({ workspace }),
  });
  return {
    gateway,
    desk,
    sessionId,
    state: () => store.sessions.get(sessionId).state,
    events: () => store.events.read(sessionId),
    refuseEvents(...types) {
      const list = types.map((type) => `'${type}'`).join(', ');
      let refused = 0;
      store.db.function('refuse', () => {
        refused += 1;
        throw new Error('database or disk is full');
      });
      store.db.exec(
        `CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.type IN (${list}) BEGIN SELECT refuse(); END`,
      );
      return () => refused;
    },
    call: (name, input, signal = new AbortController().signal) =>
      gateway.call({ sessionId, caller: { kind: 'agent', runId: 'r' }, name, input, signal, callId: 'call-1' }),
  };
}

const never = (): Promise<ToolResult> => new Promise(() => undefined);

function firstText(result: ToolResult): string {
  const part = result.content[0];
  return part?.type === 'text' ? part.text : '';
}

describe('the road of a tool call', () => {
  it('records start and end, and gives the result with its duration', async () => {
    const { call, events } = bench([asTool('echo', (input) => Promise.resolve(success(String(input['n']))))]);
    const result = await call('echo', { n: 7 });
    expect(result).toMatchObject({ isError: false, content: [text('7')], durationMs: expect.any(Number) });
    expect(events().map((event) => event.type)).toEqual(['tool.started', 'tool.ended']);
  });

  it('answers an unknown name with the nearest ones', async () => {
    const { call } = bench([asTool('python_execute', () => Promise.resolve(success('')))]);
    const result = await call('python', {});
    expect(result.isError).toBe(true);
    expect(firstText(result)).toContain('Did you mean "python_execute"?');
  });

  it('does not run a tool whose input is wrong, and names the field', async () => {
    let ran = false;
    const { call } = bench([
      asTool('echo', () => {
        ran = true;
        return Promise.resolve(success(''));
      }),
    ]);
    expect(firstText(await call('echo', { n: 'seven' }))).toContain('"n" must be number');
    expect(ran).toBe(false);
  });

  it('turns whatever a tool throws into a failed result', async () => {
    const { call, events } = bench([asTool('bad', () => Promise.reject(new Error('The pier is closed.')))]);
    expect(await call('bad', {})).toMatchObject({ isError: true, content: [text('The pier is closed.')] });
    expect(events().at(-1)).toMatchObject({ type: 'tool.ended', result: { isError: true } });
  });

  it('writes live output to the log before the end, however short the tool', async () => {
    const { call, events } = bench([
      asTool('loud', (_input, context) => {
        context.output.write('half ');
        context.output.write('way');
        return Promise.resolve(success('done'));
      }),
    ]);
    await call('loud', {});
    expect(events().map((event) => (event.type === 'tool.output' ? event.text : event.type))).toEqual([
      'tool.started',
      'half way',
      'tool.ended',
    ]);
  });

  it('is not ended by live output or progress that the log can not take', async () => {
    const { call, refuseEvents } = bench([
      asTool('loud', async (_input, context) => {
        context.output.progress({ progress: 1 });
        context.output.write('on a full disk');
        // Live output goes to the log a little later, from a timer.
        await waitFor(() => refused() === 2);
        return success('done');
      }),
    ]);
    const refused = refuseEvents('tool.output', 'tool.progress');
    expect(await call('loud', {})).toMatchObject({ isError: false, content: [text('done')] });
  });

  it('gives a result that the log can not take, and says that it is not recorded', async () => {
    const { call, refuseEvents } = bench([asTool('echo', () => Promise.resolve(success('done')))]);
    refuseEvents('tool.ended');
    const result = await call('echo', {});
    expect(result).toMatchObject({ isError: false, content: [text('done')] });
    expect(result.system).toBe('The call has run, but its end could not be recorded. database or disk is full');
  });

  it('does not run what the log can not take, and says so', async () => {
    let ran = 0;
    const { call, refuseEvents } = bench([asTool('echo', () => Promise.resolve(success(String((ran += 1)))))]);
    refuseEvents('tool.started');
    const told = 'The call was not run, because it could not be recorded. database or disk is full';
    expect(firstText(await call('echo', {}))).toBe(told);
    expect(ran).toBe(0);
  });

  it('bounds what a model gets but not what another app gets', async () => {
    const long = 'x'.repeat(50_000);
    const { gateway, call, sessionId } = bench([asTool('long', () => Promise.resolve(success(long)))]);
    expect(firstText(await call('long', {})).length).toBeLessThan(2500);
    const signal = new AbortController().signal;
    const caller = { kind: 'app', id: 'a', name: 'Some app' } as const;
    expect(firstText(await gateway.call({ sessionId, caller, name: 'long', input: {}, signal }))).toBe(long);
  });

  it('keeps every image of a result, and none of their bytes in the log', async () => {
    const data = Buffer.from('not really a picture').toString('base64');
    const pictures = [image(data, 'image/png'), image(data, 'image/webp')];
    const { call, events } = bench([asTool('draw', () => Promise.resolve(success(pictures)))]);
    expect((await call('draw', {})).content).toEqual(pictures);
    expect(JSON.stringify(events())).not.toContain(data);
  });

  it('ends a tool that ignores its signal, and the call is cancelled by id', async () => {
    const { gateway, call, events } = bench([asTool('deaf', never)]);
    const ended = call('deaf', {});
    await waitFor(() => events().some((event) => event.type === 'tool.started'));
    expect(gateway.cancel('call-1')).toBe(true);
    expect(await ended).toMatchObject({ isError: true, content: [text('The call was stopped.')] });
    expect(gateway.cancel('call-1')).toBe(false);
  });
});

describe('approvals on the road', () => {
  const changer = asTool('mcp_s_change', (input) => Promise.resolve(success(JSON.stringify(input))), {
    origin: { kind: 'server', server: 's', originalName: 'change' },
  });

  async function asked(parts: Bench): Promise<string> {
    return await waitFor(() =>
      parts
        .events()
        .flatMap((event) => (event.type === 'approval.requested' ? [event.approvalId] : []))
        .at(-1),
    );
  }

  it('wait for the person, mark the session as waiting, and run what the person made of the input', async () => {
    const parts = bench([changer]);
    const ended = parts.call('mcp_s_change', { n: 1 });
    const approvalId = await asked(parts);
    expect(parts.state()).toBe('waiting');
    parts.desk.answerApproval(approvalId, { decision: 'allow_once', input: { n: 2 } });
    expect(firstText(await ended)).toBe('{"n":2}');
    expect(parts.state()).toBe('running');
  });

  it('check the input again after the person changed it', async () => {
    const parts = bench([changer]);
    const ended = parts.call('mcp_s_change', { n: 1 });
    parts.desk.answerApproval(await asked(parts), { decision: 'allow_once', input: { n: 'two' } });
    expect(firstText(await ended)).toContain('"n" must be number');
  });

  it('tell the caller why the person said no', async () => {
    const parts = bench([changer]);
    const ended = parts.call('mcp_s_change', {});
    parts.desk.answerApproval(await asked(parts), { decision: 'deny', message: 'not on a Friday' });
    expect(await ended).toMatchObject({ isError: true, content: [text('The person said no: not on a Friday')] });
  });

  it('ask once when the person allows a tool for the session', async () => {
    const parts = bench([changer]);
    const first = parts.call('mcp_s_change', {});
    parts.desk.answerApproval(await asked(parts), { decision: 'allow_session' });
    await first;
    await parts.call('mcp_s_change', {});
    expect(parts.events().filter((event) => event.type === 'approval.requested')).toHaveLength(1);
  });

  it('ask for what is special about a call, also in a tool that runs unasked, and again for another one', async () => {
    const installer = asTool('python_execute', (input) => Promise.resolve(success(JSON.stringify(input))), {
      reasonToAsk: ({ n }) => Promise.resolve(n === undefined ? undefined : `It installs ${String(n)}.`),
    });
    const parts = bench([installer]);
    const requests = (): string[] =>
      parts.events().flatMap((event) => (event.type === 'approval.requested' ? [event.reason] : []));
    await parts.call('python_execute', {});
    expect(requests()).toEqual([]);
    for (const n of [1, 1, 2]) {
      const ended = parts.call('python_execute', { n });
      if (requests().length < n) {
        await waitFor(() => requests().length === n);
        parts.desk.answerApproval(await asked(parts), { decision: 'allow_session' });
      }
      expect(firstText(await ended)).toBe(JSON.stringify({ n }));
    }
    expect(requests()).toEqual(['It installs 1.', 'It installs 2.']);
  });

  it('can be answered once only', async () => {
    const parts = bench([changer]);
    const ended = parts.call('mcp_s_change', {});
    const approvalId = await asked(parts);
    parts.desk.answerApproval(approvalId, { decision: 'allow_once' });
    expect(() => parts.desk.answerApproval(approvalId, { decision: 'deny' })).toThrow(/does not wait/);
    await ended;
  });

  it('refuse with the way out where nobody can be asked', async () => {
    const { call } = bench([changer], { canAsk: false });
    expect(firstText(await call('mcp_s_change', {}))).toMatch(/--yes.*approvals\.mode/);
  });

  it('stop waiting when the call is stopped', async () => {
    const parts = bench([changer]);
    const stop = new AbortController();
    const ended = parts.call('mcp_s_change', {}, stop.signal);
    await asked(parts);
    stop.abort(new Error('stopped'));
    expect((await ended).isError).toBe(true);
    expect(parts.state()).toBe('running');
  });

  it('are asked for paths outside the workspace', async () => {
    const parts = bench([asTool('str_replace_editor', () => Promise.resolve(success('written')))], { canAsk: false });
    expect(firstText(await parts.call('str_replace_editor', { path: '/etc/hosts' }))).toContain(
      'outside the workspace',
    );
    expect(firstText(await parts.call('str_replace_editor', { path: '../escape' }))).toContain('outside the workspace');
    expect(firstText(await parts.call('str_replace_editor', { path: 'inside.txt' }))).toBe('written');
  });
});

describe('questions on the road', () => {
  it('wait for the person and give the answer to the tool', async () => {
    const parts = bench([
      asTool('ask', async (_input, context) => success(await context.ask({ question: 'Which pier?' }))),
    ]);
    const ended = parts.call('ask', {});
    const question = await waitFor(() => parts.events().find((event) => event.type === 'question.asked'));
    if (question.type === 'question.asked') parts.desk.answerQuestion(question.questionId, 'the north one');
    expect(firstText(await ended)).toBe('the north one');
  });

  it('fail with a sentence where nobody can be asked', async () => {
    const { call } = bench([asTool('ask', async (_input, context) => success(await context.ask({ question: '?' })))], {
      canAsk: false,
    });
    expect(firstText(await call('ask', {}))).toContain('nobody here');
  });
});
