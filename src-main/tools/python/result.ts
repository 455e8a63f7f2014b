import { image, text, type ContentPart, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { CappedText } from '../capped-output.ts';
import type { BackendKind, Ending, Outcome, Report } from './contract.ts';

/** What an ending that was not up to the code is called. */
const ENDINGS: Readonly<Record<Exclude<Ending, 'finished'>, string>> = {
  timeout: 'The code was ended because its time was up; what it had started is ended too.',
  cancelled: 'The call was stopped; what the code had started is ended too.',
  memory: 'The code was ended because it used too much memory.',
  processes: 'The code was ended because it started too many processes.',
  processor: 'The code was ended because it kept too many processor cores busy; what it had started is ended too.',
  output: 'The code was ended because it wrote too much output.',
  died: 'Python ended without a report: it crashed, ran out of memory, or the code ended it or closed all of its descriptors.',
};

/** A job's outcome and its output as a tool result: text first, then every picture in order. */
export function toResult(outcome: Outcome, output: CappedText, backend: BackendKind): ToolResult {
  const { ending, report, pictures, notes, durationMs } = outcome;
  const pieces = [output.text, ...(report ? reportPieces(report) : []), ...endingPieces(ending, report)].filter(
    Boolean,
  );
  const words = pieces.map((piece) => (piece.endsWith('\n') ? piece : `${piece}\n`)).join('');
  const content: ContentPart[] = [
    ...(words ? [text(words.trimEnd())] : []),
    ...pictures.map(({ data, mimeType }) => image(data, mimeType)),
  ];
  return {
    content: content.length > 0 ? content : [text('(no output)')],
    isError: ending !== 'finished' || report?.ok !== true,
    durationMs,
    structuredContent: structured(outcome, backend),
    ...(notes.length > 0 && { system: notes.join(' ') }),
    ...(output.truncation && { truncation: output.truncation }),
  };
}

function reportPieces({ value, valueLength, traceback, exitCode }: Report): string[] {
  const cut = value !== undefined && valueLength !== undefined && valueLength > [...value].length;
  return [
    value === undefined ? '' : cut ? `${value}… (${valueLength} characters in all)` : value,
    traceback ?? '',
    exitCode === undefined || exitCode === 0 ? '' : `The code ended with exit code ${exitCode}.`,
  ];
}

function endingPieces(ending: Ending, report: Report | undefined): string[] {
  if (ending !== 'finished') return [ENDINGS[ending]];
  return report?.timeLimit ? ['The code was interrupted because its time was up.'] : [];
}

function structured({ ending, report, durationMs }: Outcome, backend: BackendKind): JsonObject {
  const timedOut = ending === 'timeout' || report?.timeLimit === true;
  return {
    backend,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ending,
    ...(report?.value !== undefined && { value: report.value }),
    ...(report?.error !== undefined && { error: report.error }),
    ...(timedOut && { timedOut }),
    ...(report?.tables && { tables: report.tables.map((table) => ({ ...table })) }),
  };
}
