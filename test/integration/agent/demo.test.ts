import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp, type App } from '../../../src-main/app.ts';
import { prepareDemo, type Run, type RunEnd } from '../../../src-main/agent/index.ts';
import type { SessionEvent, StoredImagePart } from '../../../src-shared/index.ts';
import { chromiumPath, hasBubblewrap } from '../../fixtures/environment.ts';
import { programFiles } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

interface Played {
  end: RunEnd;
  events: SessionEvent[];
  workspace: string;
  /** Pictures by the tool that returned them. */
  pictures: { tool: string; png: PNG }[];
}

async function play(begin: (app: App) => Promise<Run> = (app) => app.runDemo('terminal')): Promise<Played> {
  await using app = await createApp({
    version: '0.0.0',
    home: temporaryFolder(),
    workspace: temporaryFolder(),
    files: programFiles,
    env: process.env,
    canAsk: () => false,
  });
  const run = await begin(app);
  const end = await run.ended;
  const events = app.store.events.read(run.sessionId);
  return { end, events, workspace: app.store.sessions.get(run.sessionId).workspace, pictures: picturesOf(app, events) };
}

/** The demo as it is where no browser can be found. */
async function beginWithoutBrowser(app: App): Promise<Run> {
  const { node: nodePath, assets: assetsDir } = programFiles;
  const demo = await prepareDemo({
    servers: app.servers,
    home: app.store.home,
    nodePath,
    assetsDir,
    env: {},
    paceMs: 0,
  });
  onTestFinished(() => demo[Symbol.asyncDispose]());
  const session = app.store.sessions.create({ title: demo.title, workspace: demo.workspace, origin: 'terminal' });
  return app.agent.start({ sessionId: session.id, text: demo.task, model: demo.model });
}

function picturesOf(app: App, events: readonly SessionEvent[]): Played['pictures'] {
  const names = new Map(events.flatMap((event) => (event.type === 'tool.started' ? [[event.callId, event.name]] : [])));
  return events.flatMap((event) => {
    if (event.type !== 'tool.ended') return [];
    const media = event.result.content.filter((part): part is StoredImagePart => part.type === 'image');
    return media.map(({ blob }) => ({
      tool: names.get(event.callId) ?? '',
      png: PNG.sync.read(Buffer.from(app.store.blobs.read(blob.sha256))),
    }));
  });
}

/** How many different colours a picture has: a blank one has one. */
function colours({ data }: PNG): number {
  const seen = new Set<number>();
  for (let at = 0; at < data.length; at += 4) seen.add(data.readUInt32BE(at));
  return seen.size;
}

describe.skipIf(!hasBubblewrap)('the demo (skipped without bubblewrap)', () => {
  test.skipIf(!chromiumPath)(
    'really writes, runs, plots, edits, tests, takes a screenshot and undoes (skipped without Chromium)',
    async () => {
      const { end, events, workspace, pictures } = await play();
      expect(end).toMatchObject({ outcome: 'done' });
      expect(events.find(({ type }) => type === 'run.started')).toMatchObject({
        model: { name: 'Scripted demo, not a model', scripted: true },
      });
      const edits = events.flatMap((event) => (event.type === 'edit.recorded' ? [event] : []));
      // The chart is Python's own.
      expect(edits.map(({ kind, path: file }) => `${kind} ${path.basename(file)}`)).toEqual([
        'create tides.py',
        'create chart.png',
        'create index.html',
        'modify tides.py',
        'undo tides.py',
      ]);
      expect(pictures.map(({ tool }) => tool)).toEqual(['python_execute', 'mcp_browser_browser_take_screenshot']);
      for (const { png } of pictures) {
        expect(png.width).toBeGreaterThan(600);
        expect(colours(png)).toBeGreaterThan(20);
      }
      expect(readFileSync(path.join(workspace, 'tides.py'), 'utf8')).toContain('MARGIN = 0.0');
      expect(readFileSync(path.join(workspace, 'index.html'), 'utf8')).toMatch(/<li>\d\d:\d\d to \d\d:\d\d<\/li>/);
    },
  );

  test('without a browser it says so and does the rest', async () => {
    const { end, pictures } = await play(beginWithoutBrowser);
    expect(end).toMatchObject({
      outcome: 'done',
      message: expect.stringMatching(/could not look at the page: no Chromium/),
    });
    expect(pictures.map(({ tool }) => tool)).toEqual(['python_execute']);
  });
});
