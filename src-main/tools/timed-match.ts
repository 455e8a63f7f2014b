import { createContext, Script } from 'node:vm';

const script = new Script('texts.map((text) => expression.test(text))');

/**
 * Which of the texts an expression matches, or undefined when that takes longer than `timeoutMs`: some expressions take for ever
 * on an innocent text, and nothing else of this process would run meanwhile, not even its end. It runs in a context that can be
 * interrupted; nothing else is in there.
 */
export function matchWithin(expression: RegExp, texts: readonly string[], timeoutMs: number): boolean[] | undefined {
  const context = createContext({ expression, texts });
  try {
    const found: unknown = script.runInContext(context, { timeout: Math.max(1, Math.ceil(timeoutMs)) });
    return Array.isArray(found) ? found.map((one) => one === true) : undefined;
  } catch {
    return undefined;
  }
}
