import type { LanguageFn } from 'highlight.js';

type Load = () => Promise<{ readonly default: LanguageFn }>;

/** Languages that are fetched when a file in them is shown: each is a small file of its own, so that the window starts quickly. */
export const LAZY_LANGUAGES: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['c', () => import('highlight.js/lib/languages/c')],
  ['cpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp', () => import('highlight.js/lib/languages/csharp')],
  ['dart', () => import('highlight.js/lib/languages/dart')],
  ['dockerfile', () => import('highlight.js/lib/languages/dockerfile')],
  ['go', () => import('highlight.js/lib/languages/go')],
  ['ini', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['kotlin', () => import('highlight.js/lib/languages/kotlin')],
  ['less', () => import('highlight.js/lib/languages/less')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile', () => import('highlight.js/lib/languages/makefile')],
  ['markdown', () => import('highlight.js/lib/languages/markdown')],
  ['perl', () => import('highlight.js/lib/languages/perl')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell', () => import('highlight.js/lib/languages/powershell')],
  ['ruby', () => import('highlight.js/lib/languages/ruby')],
  ['rust', () => import('highlight.js/lib/languages/rust')],
  ['scss', () => import('highlight.js/lib/languages/scss')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
]);
