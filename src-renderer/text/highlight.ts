import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { LAZY_LANGUAGES } from './lazy-languages.ts';

const LANGUAGES = { bash, css, diff, javascript, json, python, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code is shown plain: colouring it would hold up the window. In characters. */
const LONGEST = 50_000;

/** Code with colours as HTML, or undefined where the language is unknown or the code too long. Still to be sanitised. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > LONGEST || !hljs.getLanguage(language)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Whether `highlight` knows a language, once it has been fetched. A language that does not arrive is not known. */
export async function loadLanguage(language: string): Promise<boolean> {
  if (hljs.getLanguage(language)) return true;
  const loaded = await LAZY_LANGUAGES.get(language)?.().catch(() => undefined);
  if (loaded) hljs.registerLanguage(language, loaded.default);
  return loaded !== undefined;
}

/** Text as HTML that shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
