import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Servers } from '../../mcp/client/index.ts';
import type { Model } from '../contract.ts';
import { attachBrowser } from './browser.ts';
import { servePage } from './page-server.ts';
import { demoScript } from './script.ts';
import { createScriptedModel } from './scripted-model.ts';

/** Milliseconds between two words of the script: slow enough to be read, the whole demo still takes seconds. */
const PACE_MS = 18;

/** Everything a demo run needs. Dispose it when the run has ended. */
export interface Demo extends AsyncDisposable {
  readonly title: string;
  /** Absolute path of a folder made for this demo. */
  readonly workspace: string;
  /** What the person is said to ask for. */
  readonly task: string;
  /** A script that says so in its name. */
  readonly model: Model;
  /** Names of the tools that the script calls: whoever starts the demo allows them for its session. */
  readonly tools: readonly string[];
}

export interface DemoParts {
  servers: Servers;
  /** The data folder; demos work in folders of their own below it. */
  home: string;
  /** A Node program that can run plain scripts. */
  nodePath: string;
  assetsDir: string;
  env: NodeJS.ProcessEnv;
  paceMs?: number;
}

/** Makes the demo's workspace, serves its page on the loopback interface, and attaches a browser where there is one. */
export async function prepareDemo({
  servers,
  home,
  nodePath,
  assetsDir,
  env,
  paceMs = PACE_MS,
}: DemoParts): Promise<Demo> {
  const workspace = freshFolder(path.join(home, 'demo'));
  const asset = (name: string): string => readFileSync(path.join(assetsDir, 'demo', name), 'utf8');
  writeFileSync(path.join(workspace, 'test_tides.py'), asset('test_tides.py'));
  await using cleanup = new AsyncDisposableStack();
  const page = cleanup.use(await servePage(workspace));
  const outputFolder = path.join(home, 'demo', 'browser-output');
  const { browser } = cleanup.use(await attachBrowser({ servers, nodePath, outputFolder, env }));
  const script = demoScript({
    program: asset('tides.py'),
    chart: asset('chart.py'),
    page: asset('index.html'),
    url: page.url,
    browser,
  });
  const ends = cleanup.move();
  return {
    title: 'Demo: when is the causeway dry?',
    workspace,
    task: 'Write a program that says when the tide leaves the causeway dry today. Plot it, show it on a page, test it, and prove that I can undo what you do.',
    model: createScriptedModel(script, { paceMs }),
    tools: [
      'str_replace_editor',
      'bash',
      'python_execute',
      ...('missing' in browser ? [] : [browser.navigate, browser.screenshot]),
    ],
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** A new folder named by the time, with a number where that is taken. */
function freshFolder(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  for (let number = 1; ; number += 1) {
    const folder = path.join(parent, number === 1 ? stamp : `${stamp}_${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
