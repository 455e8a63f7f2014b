/**
 * The script of the page that frames a view (MCP Apps 2026-01-26, "Sandbox proxy"). It runs on an origin of its own, passes messages
 * between the window and the view, and ends a view that sends too much. It stands alone: nothing is imported.
 */
export {};

/** Characters of one message, and messages of a view: at once, and then every second. */
const LONGEST_MESSAGE = 4_000_000;
const MOST_AT_ONCE = 400;
const PER_SECOND = 100;
/** Messages between this page and the window alone. */
const OWN = 'ui/notifications/sandbox-';

const windowOrigin = document.documentElement.dataset['window'] ?? '';
let view: HTMLIFrameElement | undefined;
let allowed = MOST_AT_ONCE;
let countedAt = performance.now();

addEventListener('message', ({ source, origin, data }) => {
  if (source === window.parent && origin === windowOrigin) fromWindow(data);
  else if (view !== undefined && source === view.contentWindow) fromView(data);
});
if (window.parent !== window) tellWindow('proxy-ready', {});

function fromWindow(message: unknown): void {
  const method = fieldOf(message, 'method');
  if (method === `${OWN}resource-ready`) show(fieldOf(fieldOf(message, 'params'), 'html'));
  else if (typeof method !== 'string' || !method.startsWith(OWN)) view?.contentWindow?.postMessage(message, '*');
}

/** Without `allow-same-origin`: the view has no origin, so neither storage nor cookies, and nothing of this page. */
function show(html: unknown): void {
  if (view !== undefined || typeof html !== 'string') return;
  view = document.createElement('iframe');
  view.setAttribute('sandbox', 'allow-scripts allow-forms');
  view.setAttribute('referrerpolicy', 'no-referrer');
  view.title = 'View';
  view.srcdoc = html;
  document.body.append(view);
}

function fromView(message: unknown): void {
  const now = performance.now();
  allowed = Math.min(MOST_AT_ONCE, allowed + ((now - countedAt) / 1000) * PER_SECOND);
  countedAt = now;
  allowed -= 1;
  if (allowed < 0) return stop('flood');
  const json = toJson(message);
  if (json === undefined) return;
  if (json.length > LONGEST_MESSAGE) return stop('size');
  const plain: unknown = JSON.parse(json);
  const method = fieldOf(plain, 'method');
  if (typeof method === 'string' && method.startsWith(OWN)) return;
  window.parent.postMessage(plain, windowOrigin);
}

function stop(reason: 'flood' | 'size'): void {
  view?.remove();
  view = undefined;
  tellWindow('stopped', { reason });
}

function tellWindow(what: string, params: object): void {
  window.parent.postMessage({ jsonrpc: '2.0', method: OWN + what, params }, windowOrigin);
}

/** Undefined for what JSON can not carry. */
function toJson(message: unknown): string | undefined {
  try {
    return typeof message === 'object' && message !== null ? JSON.stringify(message) : undefined;
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
