import { setTimeout as delay } from 'node:timers/promises';
import { LOG_LEVEL_META_KEY, type Client, type LoggingLevel } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { describeError, type ServerConfig } from '../../../src-shared/index.ts';

/** Characters of one message of a server's log that are kept. */
const LOG_LENGTH = 4_096;
const DEFAULT_LEVEL = 'info';
const loggingLevel = z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);

/** What a server says without being asked. */
export interface Notices {
  onToolsChanged(): void;
  onOffersChanged(what: 'resources' | 'prompts'): void;
  onResourceUpdated(uri: string): void;
  /** A line for its log, beside what it writes to stderr. */
  onLog(line: string): void;
}

/** Hears a server's notices, before the connection. */
export function listenForNotices(client: Client, notices: Notices): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => notices.onToolsChanged());
  client.setNotificationHandler('notifications/resources/list_changed', () => notices.onOffersChanged('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => notices.onOffersChanged('prompts'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    notices.onResourceUpdated(params.uri),
  );
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const words = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    notices.onLog(`[${level}] ${logger === undefined ? '' : `${logger}: `}${words}`.slice(0, LOG_LENGTH));
  });
}

/** From which level on a server is to send its log: `"logLevel"` in its entry, else "info". */
export function logLevel(config: ServerConfig): LoggingLevel {
  return loggingLevel.catch(DEFAULT_LEVEL).parse(config['logLevel']);
}

/** Says so to a server of the older protocol, once it is connected. One that does not listen has lost nothing. */
export function setLogLevel(client: Client, level: LoggingLevel, timeout: number): void {
  if (client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging) return;
  client
    .request({ method: 'logging/setLevel', params: { level } }, z.looseObject({}), { timeout })
    .catch((error: unknown) => client.onerror?.(new Error(describeError(error))));
}

/** On the new protocol each request says which log it wants. */
export function logMeta(client: Client, level: LoggingLevel): { _meta?: Record<string, string> } {
  if (client.getProtocolEra() !== 'modern' || !client.getServerCapabilities()?.logging) return {};
  return { _meta: { [LOG_LEVEL_META_KEY]: level } };
}

/** A stream of notices that the server ended is opened again after this, times the attempt, in milliseconds. */
const REOPEN_MS = 1_000;
const REOPEN_TIMES = 5;

/**
 * Keeps the new protocol's stream of notices open. What came while it was not is asked for afterwards. Ends with the connection, or
 * when the server does not want it any more.
 */
export async function keepNotices(client: Client, notices: Notices, signal: AbortSignal): Promise<void> {
  let stream = client.autoOpenedSubscription;
  for (let attempt = 1; stream && attempt <= REOPEN_TIMES; attempt += 1) {
    if ((await stream.closed) === 'local' || signal.aborted) return;
    try {
      await delay(REOPEN_MS * attempt, undefined, { signal, ref: false });
      stream = await client.listen(stream.honoredFilter, { signal });
    } catch {
      // The connection is gone, or the server has enough: tools are listed again now and then all the same.
      return;
    }
    notices.onToolsChanged();
    notices.onOffersChanged('resources');
    notices.onOffersChanged('prompts');
  }
}
