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
