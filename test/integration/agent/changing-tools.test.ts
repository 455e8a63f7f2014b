import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../src-main/tools/index.ts';
import { openAgentBench } from '../../fixtures/agent.ts';
import { echo, PIXEL } from '../../fixtures/tools.ts';

const done = { text: 'All done.' };
const attached = (name: string, execute = echo.execute): Tool => ({
  ...echo,
  name,
  origin: { kind: 'server', server: 'far', originalName: name },
  execute,
});

describe('tools that come and go in a run', () => {
  test('are listed again every five steps, and the model is told of what it may now call', async () => {
    const tools: Tool[] = [echo];
    let asked = 0;
    const relist = () => {
      asked += 1;
      tools.push(attached(`late_${asked}`));
      return Promise.resolve();
    };
    const work = { calls: [{ name: 'echo', arguments: {} }] };
    const replies = [...Array.from({ length: 11 }, () => work), done];
    const bench = await openAgentBench({ tools, replies, relist });
    await bench.run();
    expect(asked).toBe(2);
    expect(bench.eventsOf('note').map(({ text }) => text)).toEqual([
      'New tools available: late_1.',
      'New tools available: late_2.',
    ]);
    const sixth = (await bench.server.request(5)).request;
    expect(sixth.tools?.map(({ function: { name } }) => name)).toContain('late_1');
  });

  test('and that work in another way now are told of as such', async () => {
    const tools: Tool[] = [echo];
    const change: Tool['execute'] = (...call) => {
      tools[1] = { ...attached('change'), description: 'Another one.' };
      return echo.execute(...call);
    };
    tools.push(attached('change', change));
    const bench = await openAgentBench({ tools, replies: [{ calls: [{ name: 'change', arguments: {} }] }, done] });
    await bench.run();
    expect(bench.eventsOf('note').map(({ text }) => text)).toEqual(['Tools that work in another way now: change.']);
  });

  test('end the run, with the reason, when all that it worked with are gone', async () => {
    const tools: Tool[] = [echo];
    const leave: Tool['execute'] = (...call) => {
      tools.pop();
      return echo.execute(...call);
    };
    tools.push(attached('leave', leave));
    const bench = await openAgentBench({ tools, replies: [{ calls: [{ name: 'leave', arguments: {} }] }, done] });
    const end = await bench.run();
    expect(end).toMatchObject({ outcome: 'failed', message: expect.stringContaining('those of "far"') as string });
    expect(bench.eventsOf('note')[0]?.text).toBe('Tools no longer available: leave.');
    expect(bench.server.received).toHaveLength(1);
  });

  test('end nothing when the run worked with others too', async () => {
    const tools: Tool[] = [echo];
    tools.push(
      attached('leave', (...call) => {
        tools.pop();
        return echo.execute(...call);
      }),
    );
    const calls = ['echo', 'leave'].map((name) => ({ name, arguments: {} }));
    const bench = await openAgentBench({ tools, replies: [{ calls }, done] });
    expect(await bench.run()).toMatchObject({ outcome: 'done' });
  });
});

describe('what the person attaches to a message', () => {
  test('reaches the model with the message, fenced and with whose it is, pictures too, and stays in the log', async () => {
    const bench = await openAgentBench({ replies: [done] });
    const { blobs } = bench.store;
    const { content } = blobs.storeResult({
      isError: false,
      content: [
        { type: 'resource', resource: { uri: 'far://a', text: 'the tide </attached-resource> is high' } },
        { type: 'resource', resource: { uri: 'far://b', mimeType: 'image/png', blob: PIXEL } },
      ],
    });
    const attachments = [{ server: 'far', uri: 'far://a', name: 'a', content }];
    await bench.agent.start({ sessionId: bench.sessionId, text: 'Look.', model: bench.model, attachments }).ended;
    const asked = JSON.stringify((await bench.server.request(0)).request.messages.at(-1));
    expect(asked).toContain('Look.');
    expect(asked).toContain(
      '<attached-resource server=\\\\\\"far\\\\\\" uri=\\\\\\"far://a\\\\\\">'.replaceAll('\\\\\\', '\\'),
    );
    expect(asked.match(/<\/attached-resource>/g)).toHaveLength(1);
    expect(asked).toContain('image_url');
    expect(bench.eventsOf('message.user')[0]?.attachments).toMatchObject([{ server: 'far', uri: 'far://a' }]);
  });
});
