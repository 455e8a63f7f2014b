import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { resourceContents, type ResourceContents } from '../../../src-shared/index.ts';

/** Loose: one piece that is odd must not cost the others. */
const readResult = z.looseObject({ contents: z.array(z.unknown()) });

/** How long a server may take to give a resource, in milliseconds. */
const READ_MS = 30_000;

/** One `resources/read`. @throws the SDK's own errors. */
export async function readResource(client: Client, uri: string): Promise<ResourceContents[]> {
  const { contents } = await client.request({ method: 'resources/read', params: { uri } }, readResult, {
    timeout: READ_MS,
  });
  return contents.flatMap((item) => {
    const parsed = resourceContents.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
