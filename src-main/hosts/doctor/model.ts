import { CausewayError, type Finding } from '../../../src-shared/index.ts';
import { findLocalEndpoints, resolveModel } from '../../agent/index.ts';
import type { App } from '../../app.ts';

/** How long an endpoint may take to answer, in milliseconds. */
const ANSWER_MS = 5000;
const OPENAI = 'https://api.openai.com/v1';

/** Whether a run could start, and whether the endpoint answers. */
export async function checkModel({ store }: App, signal: AbortSignal): Promise<Finding> {
  const settings = store.settings.get();
  try {
    const model = await resolveModel({ settings, secrets: store.secrets, env: process.env });
    const baseUrl = settings.model.baseUrl ?? process.env['OPENAI_BASE_URL'] ?? OPENAI;
    const key = store.secrets.get('model.key') ?? process.env['OPENAI_API_KEY'];
    return describeAnswer(model.name, baseUrl, await ask(baseUrl, key, signal));
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error;
    const local = await findLocalEndpoints(AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
    const offers = local.map((found) => `${found.name} at ${found.baseUrl} (${found.models.slice(0, 3).join(', ')})`);
    const fix = offers.length > 0 ? `Found on this machine: ${offers.join('; ')}. Choose it in Settings.` : error.hint;
    return { name: 'Model', status: 'missing', detail: error.message, ...(fix !== undefined && { fix }) };
  }
}

/** The status of the list of models, which costs nothing to ask for; undefined when nothing answers. */
async function ask(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<number | undefined> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      headers: key ? { Authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function describeAnswer(model: string, baseUrl: string, status: number | undefined): Finding {
  const place = `"${model}" at ${new URL(baseUrl).origin}`;
  if (status === undefined) {
    return {
      name: 'Model',
      status: 'warning',
      detail: `${place} does not answer.`,
      fix: 'Check the address in Settings (or OPENAI_BASE_URL) and the network.',
    };
  }
  if (status === 401 || status === 403) {
    return {
      name: 'Model',
      status: 'warning',
      detail: `${place} does not accept the key.`,
      fix: 'Enter a valid key in Settings (or OPENAI_API_KEY).',
    };
  }
  // Some endpoints have no list of models; that they answer is what counts.
  return { name: 'Model', status: 'ok', detail: `${place} answers.` };
}
