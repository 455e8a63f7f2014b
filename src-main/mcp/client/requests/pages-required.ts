import { ProtocolError, type InputResponse } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { failure, type ToolResult } from '../../../../src-shared/index.ts';
import type { RawRequest } from './answer-request.ts';

/** "URL elicitation required" (MCP 2025-11-25). */
const CODE = -32_042;
const pages = z.looseObject({ elicitations: z.array(z.looseObject({ url: z.string(), message: z.string() })).min(1) });

/**
 * A call that was refused until the person has been on a page: they are asked to open it, and the model is told how that went. The
 * call is not repeated from here, because only the person knows when they are done there. Undefined for any other error.
 */
export async function askForPages(
  error: unknown,
  answer: ((request: RawRequest) => Promise<InputResponse>) | undefined,
): Promise<ToolResult | undefined> {
  if (!(error instanceof ProtocolError) || error.code !== CODE || !answer) return undefined;
  const wanted = pages.safeParse(error.data);
  if (!wanted.success) return undefined;
  for (const page of wanted.data.elicitations) {
    const said = await answer({ method: 'elicitation/create', params: { ...page, mode: 'url' } });
    if (!('action' in said) || said.action !== 'accept') {
      return failure('The call was not run: the server wants the person to open a page first, and they did not.');
    }
  }
  return failure(
    'The call was not run: the server wanted the person to open a page first. They have opened it; when they are done there, call again.',
  );
}
