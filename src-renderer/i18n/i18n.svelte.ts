import { createContext } from 'svelte';
import {
  catalogues,
  formatMessage,
  preferredLanguage,
  type Language,
  type MessageKey,
  type Params,
} from './catalogue.ts';
import type { Settings } from '../../src-shared/index.ts';

/** The language of the window. Reading any of it in a component follows later changes. */
export interface I18n {
  readonly language: Language;
  readonly t: (key: MessageKey, params?: Params) => string;
  choose(setting: Settings['appearance']['language']): void;
}

/** `wanted` are the browser's languages, best first. */
export function createI18n(wanted: readonly string[]): I18n {
  const system = preferredLanguage(wanted);
  let language = $state<Language>(system);
  return {
    get language() {
      return language;
    },
    t: (key, params) => formatMessage(catalogues[language][key], language, params),
    choose(setting) {
      language = setting === 'system' ? system : setting;
      document.documentElement.lang = language;
    },
  };
}

export const [useI18n, provideI18n] = createContext<I18n>();
