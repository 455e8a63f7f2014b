import type { Finding } from '../../../src-shared/index.ts';

const MARKS: Record<Finding['status'], string> = { ok: 'ok      ', missing: 'missing ', warning: 'warning ' };

/** A finding as a line, and its fix on the next. */
export function describeFinding({ name, status, detail, fix }: Finding): string {
  const line = `${MARKS[status]}${name}: ${detail.replaceAll('\n', '\n        ')}`;
  return fix && status !== 'ok' ? `${line}\n        ${fix}` : line;
}
