import { once } from 'node:events';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { sessionSummary } from '../../../src-shared/index.ts';
import { commandLine } from '../../fixtures/cli.ts';
import { chromiumPath } from '../../fixtures/environment.ts';

interface Part {
  type: string;
  data: string;
  mimeType: string;
}
interface LogLine {
  type: string;
  seq: number;
  callId?: string;
  name?: string;
  outcome?: string;
  result?: { content: Part[] };
}

function parseLog(stdout: string): LogLine[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): LogLine => JSON.parse(line));
}

/** The pictures that a tool whose name holds `word` gave, decoded. */
function picturesOf(log: LogLine[], word: string): PNG[] {
  const calls = log
    .filter(({ type, name }) => type === 'tool.started' && name?.includes(word))
    .map(({ callId }) => callId);
  const ended = log.filter(({ type, callId }) => type === 'tool.ended' && calls.includes(callId));
  const images = ended.flatMap(({ result }) => result?.content ?? []).filter(({ type }) => type === 'image');
  return images.map(({ data }) => PNG.sync.read(Buffer.from(data, 'base64')));
}

describe('causeway run', () => {
  it('plays the demo to success, every event once and in order, with the real figure inside', async () => {
    const { code, stdout } = await commandLine().run('run', '--demo', '--json');
    const log = parseLog(stdout);
    expect(code).toBe(0);
    expect(log.at(-1)).toMatchObject({ type: 'run.ended', outcome: 'done' });
    const numbers = log.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const [figure] = picturesOf(log, 'python');
    expect(figure?.width).toBeGreaterThan(200);
    expect(new Set(figure?.data).size).toBeGreaterThan(2);
  });

  it.skipIf(!chromiumPath)('shows a real screenshot of a page in the demo (needs Chromium)', async () => {
    const { stdout } = await commandLine().run('run', '--demo', '--json');
    const [screenshot] = picturesOf(parseLog(stdout), 'screenshot');
    expect(screenshot?.width).toBeGreaterThan(400);
    expect(new Set(screenshot?.data).size).toBeGreaterThan(16);
  });

  it('says what to set up when there is no model, with exit code 1', async () => {
    const { code, stdout, stderr } = await commandLine().run('run', 'say hello');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(/model/i);
  });

  it('stops on SIGINT, and the session says so', async () => {
    const line = commandLine();
    const { child, finished } = line.start('run', '--demo', '--json');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(parseLog(stdout).at(-1)).toMatchObject({ type: 'run.ended', outcome: 'stopped' });
    const listed = await line.run('sessions', 'list', '--json');
    expect(sessionSummary.array().parse(JSON.parse(listed.stdout))[0]).toMatchObject({
      state: 'idle',
      lastOutcome: 'stopped',
    });
  });
});
