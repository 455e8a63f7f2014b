import { Lexer, Parser, Renderer, type Token } from 'marked';
import { escapeHtml, highlight } from './highlight.ts';
import { sanitize } from './sanitize.ts';

/** A block of a message, rendered: kept while its source stays the same, so that streaming redraws only the last one. */
export interface Block {
  readonly raw: string;
  readonly html: string;
}

/**
 * Raw HTML is shown as the text it is, pictures as links to them (nothing is fetched unasked), code in colours.
 */
class SafeRenderer extends Renderer {
  override html({ text }: { text: string }): string {
    return escapeHtml(text);
  }

  override image({ href, text }: { href: string; text: string }): string {
    return `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`;
  }

  override code({ text, lang }: { text: string; lang?: string }): string {
    const html = highlight(text, lang?.split(/\s/)[0] ?? '') ?? escapeHtml(text);
    return `<pre><code class="hljs">${html}</code></pre>`;
  }
}

/** Markdown as safe HTML, block by block. `previous` is what the last call gave for an earlier state of the same text. */
export function markdownBlocks(text: string, previous: readonly Block[] = []): Block[] {
  return new Lexer({ gfm: true })
    .lex(text)
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token, index) => {
      const known = previous[index];
      return known?.raw === token.raw ? known : { raw: token.raw, html: render(token) };
    });
}

function render(token: Token): string {
  return sanitize(Parser.parse([token], { renderer: new SafeRenderer() }));
}
