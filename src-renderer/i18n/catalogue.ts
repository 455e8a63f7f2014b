import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

/** Every sentence of the window has a key; English is the measure of what must be there. */
export type MessageKey = keyof typeof en;
export type Language = 'en' | 'zh-CN';
export type Catalogue = Readonly<Record<MessageKey, string>>;
export type Params = Readonly<Record<string, string | number>>;

export const catalogues: Readonly<Record<Language, Catalogue>> = { en, 'zh-CN': zhCN };

/** The language a browser asks for, among those that exist. */
export function preferredLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.toLowerCase()).find((tag) => tag.startsWith('zh') || tag.startsWith('en'));
  return known?.startsWith('zh') ? 'zh-CN' : 'en';
}

/**
 * A message with its gaps filled: `{name}` is replaced by the parameter, `{count|step|steps}` by the first form when the
 * number is one in that language and by the second otherwise.
 */
export function formatMessage(message: string, language: Language, params: Params = {}): string {
  return message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (gap, name: string, one?: string, other?: string) => {
    const value = params[name];
    if (value === undefined) return gap;
    if (one !== undefined && other !== undefined) {
      return new Intl.PluralRules(language).select(Number(value)) === 'one' ? one : other;
    }
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
  });
}
