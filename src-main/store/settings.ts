import { readFileSync } from 'node:fs';
import {
  CausewayError,
  defaultSettings,
  describeError,
  describeIssues,
  settings as settingsSchema,
  type Settings,
} from '../../src-shared/index.ts';
import { createEmitter, writeFileAtomic } from '../platform/index.ts';
import type { SettingsStore } from './contract.ts';

/**
 * Settings in one JSON file. A missing file means defaults.
 * @throws CausewayError `bad_input` when the file is there but can't be understood: it is never overwritten unasked.
 */
export function createSettingsStore(file: string): SettingsStore {
  const changed = createEmitter<Settings>();
  let current = load(file);
  return {
    get: () => current,
    set(wanted) {
      current = check(wanted, 'These settings');
      writeFileAtomic(file, `${JSON.stringify(current, null, 2)}\n`);
      changed.emit(current);
      return current;
    },
    onChange: (listener) => changed.on(listener),
  };
}

function load(file: string): Settings {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return defaultSettings;
    const why = code === 'EISDIR' ? 'it is a folder' : describeError(error);
    throw new CausewayError('io', `The settings file ${file} can not be read: ${why}.`, {
      hint: 'Move it away to start with the defaults.',
      cause: error,
    });
  }
  let json: unknown;
  try {
    // Editors on Windows put a byte order mark before it.
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new CausewayError('bad_input', `The settings file ${file} is not valid JSON.`, {
      hint: 'Mend it, or move it away to start with the defaults.',
      cause,
    });
  }
  return check(json, `The settings file ${file}`);
}

function check(value: unknown, what: string): Settings {
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CausewayError('bad_input', `${what} can't be used: ${describeIssues(parsed.error)}.`, {
    hint: 'Correct that field and try again.',
  });
}
