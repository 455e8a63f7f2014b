import { z } from 'zod';
import type { LocalEndpoint } from '../../../src-shared/index.ts';

/** Default addresses of model servers that people run at home. */
const KNOWN = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
];

/** More than this is no list of models. */
const MAX_BYTES = 1_000_000;

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Model servers that answer on this machine now, with the models they have. Never rejects. */
export async function findLocalEndpoints(signal: AbortSignal, known = KNOWN): Promise<LocalEndpoint[]> {
  const found = await Promise.all(known.map((endpoint) => look(endpoint, signal)));
  return found.filter((endpoint) => endpoint !== undefined);
}

async function look(
  { name, baseUrl }: { name: string; baseUrl: string },
  signal: AbortSignal,
): Promise<LocalEndpoint | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, { signal, redirect: 'error' });
    if (!response.ok) return undefined;
    const body = await response.text();
    if (body.length > MAX_BYTES) return undefined;
    const models = modelList.parse(JSON.parse(body)).data.map((model) => model.id);
    return models.length > 0 ? { name, baseUrl, models } : undefined;
  } catch {
    // Nothing there, or something else: either way no model server.
    return undefined;
  }
}
