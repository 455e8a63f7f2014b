import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AppIdentity } from './contract.ts';

/** Longest name of an app that is kept, in characters. */
const MAX_NAME = 80;
const clientInfo = z.object({ name: z.string() });
/** The part of a 2026-07-28 request's `_meta` in which the app introduces itself. */
const envelope = z.object({ [CLIENT_INFO_META_KEY]: clientInfo });

/** What an app says of itself, unchecked. */
export interface Introduction {
  /** With this request (2026-07-28). */
  envelope: unknown;
  /** When the connection was opened (2025-11-25 and older). */
  clientInfo: unknown;
}

/** Who calls. The name is shown to people, so it is cut and made one plain line. */
export function identify(via: string, introduction: Introduction): AppIdentity {
  const now = envelope.safeParse(introduction.envelope).data?.[CLIENT_INFO_META_KEY];
  const info = now ?? clientInfo.safeParse(introduction.clientInfo).data;
  const name = plainLine(info?.name ?? '') || 'Unnamed app';
  return { id: `${via}:${name}`, name };
}

/** Without control and direction characters, which could make a name look like another in an approval. */
function plainLine(value: string): string {
  return value
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim();
}
