import { CausewayError, type Settings } from '../../../src-shared/index.ts';
import type { SecretStore } from '../../store/index.ts';
import type { Model } from '../contract.ts';
import { createOpenAIModel } from './model.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
/** What OpenAI's own endpoint is asked for when nothing is set. */
const OPENAI_MODEL = 'gpt-5.2';

/**
 * The model that is set up: settings first, then OPENAI_BASE_URL, CAUSEWAY_MODEL and OPENAI_API_KEY.
 * @throws CausewayError `unavailable` saying what is missing and where to set it.
 */
export function resolveModel({
  settings,
  secrets,
  env,
}: {
  settings: Settings;
  secrets: SecretStore;
  env: NodeJS.ProcessEnv;
}): Model {
  const baseUrl = settings.model.baseUrl ?? env['OPENAI_BASE_URL'] ?? OPENAI_URL;
  const model = settings.model.name ?? env['CAUSEWAY_MODEL'] ?? (baseUrl === OPENAI_URL ? OPENAI_MODEL : undefined);
  const apiKey = secrets.get('model.key') ?? env['OPENAI_API_KEY'];
  if (!apiKey && !isLoopback(baseUrl)) {
    throw new CausewayError('unavailable', 'No model is set up: there is no key for it.', {
      hint: 'Enter one in Settings, Model, or set OPENAI_API_KEY; a local model server needs none.',
    });
  }
  if (!model) {
    throw new CausewayError('unavailable', `No model is chosen for ${baseUrl}.`, {
      hint: 'Choose one in Settings, Model, or set CAUSEWAY_MODEL.',
    });
  }
  return createOpenAIModel({ baseUrl, model, apiKey: apiKey ?? 'none' });
}

/** Servers on this machine take any key. */
function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
