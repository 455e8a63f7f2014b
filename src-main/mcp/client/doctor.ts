import type { Finding, ServerView, StdioServerConfig } from '../../../src-shared/index.ts';
import { CausewayError, describeError } from '../../../src-shared/index.ts';
import type { AttachedServer } from './attached-server.ts';
import { prepareLaunch, ProgramMissing, type LaunchOptions } from './launch.ts';
import { isStdio } from './target.ts';

/** Lines of stderr that are shown of a server that does not work. */
const QUOTED_LINES = 8;

/**
 * Looks at one server, step by step from its entry to its tools, and says of each step what was found and what to do. Starts it when
 * it does not run. Never rejects.
 */
export async function examineServer(
  server: AttachedServer,
  launchOptions: () => Promise<LaunchOptions>,
): Promise<Finding[]> {
  const { config } = server;
  if (!config) return [{ name: 'Entry', status: 'missing', detail: server.view().message ?? 'It can not be read.' }];
  const { target, transport } = server.view();
  const what = isStdio(config) ? 'It is started as' : 'It is reached at';
  const findings: Finding[] = [{ name: 'Entry', status: 'ok', detail: `${what} ${target} (${transport}).` }];
  if (isStdio(config)) findings.push(await findCommand(config, launchOptions));
  if (findings.some(({ status }) => status === 'missing')) return findings;
  if (server.state === 'ready') await server.verify();
  if (server.state !== 'ready') await server.start();
  return [...findings, ...describeStart(server.view(), server.state === 'ready' ? server.offered.length : undefined)];
}

async function findCommand(config: StdioServerConfig, options: () => Promise<LaunchOptions>): Promise<Finding> {
  try {
    const { file, cwd, env } = await prepareLaunch(config, await options());
    return { name: 'Command', status: 'ok', detail: `${file}, in ${cwd}. Its PATH is ${env['PATH'] ?? ''}.` };
  } catch (error) {
    const fix = error instanceof CausewayError ? error.hint : undefined;
    const sentence = error instanceof CausewayError ? error.message : describeError(error);
    const detail = error instanceof ProgramMissing ? `${sentence}${describeFolders(error.folders)}` : sentence;
    return { name: 'Command', status: 'missing', detail, ...(fix !== undefined && { fix }) };
  }
}

function describeFolders(folders: readonly string[] | undefined): string {
  if (!folders) return '';
  return ` It was looked for in ${folders.join(', ') || 'no folder: PATH is empty'}.`;
}

function describeStart(view: Omit<ServerView, 'tools'>, tools: number | undefined): Finding[] {
  const { state, message, connectMs, serverInfo, stderr } = view;
  if (tools === undefined) {
    const start: Finding = { name: 'Start', status: 'missing', detail: message ?? `It is ${state}.` };
    const last = stderr.slice(-QUOTED_LINES).join('\n');
    return last === '' ? [start] : [start, { name: 'Last output', status: 'warning', detail: last }];
  }
  const who = serverInfo ? ` It calls itself ${serverInfo.name} ${serverInfo.version}.` : '';
  return [
    { name: 'Start', status: 'ok', detail: `It answers; it was ready after ${connectMs ?? 0} ms.${who}` },
    tools > 0
      ? {
          name: 'Tools',
          status: message ? 'warning' : 'ok',
          detail: [`${tools} tools.`, message].filter(Boolean).join(' '),
        }
      : { name: 'Tools', status: 'warning', detail: message ?? 'It offers no tools.' },
  ];
}
