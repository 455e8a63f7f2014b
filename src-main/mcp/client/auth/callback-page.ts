/** What the browser shows at the end of signing in. */
export type CallbackOutcome = 'done' | 'failed' | 'refused';

const WORDS: Record<'en' | 'zh-CN', Record<CallbackOutcome, { title: string; text: string }>> = {
  en: {
    done: { title: 'You are signed in', text: 'Causeway goes on by itself. You can close this page.' },
    failed: { title: 'Signing in did not work', text: 'Causeway says why. You can close this page.' },
    refused: { title: 'Nobody waits for this', text: 'Causeway did not ask for this page and took nothing from it.' },
  },
  'zh-CN': {
    done: { title: '登录成功', text: 'Causeway 会自动继续。你可以关闭此页面。' },
    failed: { title: '登录没有成功', text: '原因请看 Causeway。你可以关闭此页面。' },
    refused: { title: '这里没有等待中的登录', text: 'Causeway 没有请求过此页面，也没有采用其中的任何内容。' },
  },
};

/** One plain page without scripts, in the browser's language. Nothing of the request is in it. */
export function callbackPage(outcome: CallbackOutcome, acceptLanguage: string | undefined): string {
  const language = /^\s*zh\b/i.test(acceptLanguage ?? '') ? 'zh-CN' : 'en';
  const { title, text } = WORDS[language][outcome];
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0; padding: 16px; text-align: center; }
  h1 { margin: 0 0 8px; font-size: 22px; font-weight: 600; }
  p { margin: 0; opacity: 0.75; }
</style>
<main><h1>${title}</h1><p>${text}</p></main>
</html>
`;
}
