import { describe, expect, it } from 'vitest';
import { tellReport } from '../../../src-main/hosts/cli/commands/history/report.ts';
import type { CliTerminal } from '../../../src-main/hosts/cli/terminal.ts';

/** The last line of what is said when these could not be taken back. */
function lastLine(...isConflict: boolean[]): string {
  const terminal: Pick<CliTerminal, 'say' | 'answer'> = { say: () => undefined, answer: () => undefined };
  const left = isConflict.map((conflict, index) => ({
    ...{ editId: index, path: `/w/${index}`, entry: 'file' as const, why: 'Because.' },
    isConflict: conflict,
  }));
  try {
    // Nothing else of a terminal is used by a report.
    tellReport({ edits: [], left }, false, terminal as CliTerminal);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

describe('what could not be taken back', () => {
  it('leads to the choice where there is one', () => {
    expect(lastLine(true)).toContain('causeway history conflict EDIT');
    expect(lastLine(false, true)).toContain('causeway history conflict EDIT');
  });

  it('is to be tried again after a full disk or a refusal', () => {
    expect(lastLine(false)).toMatch(/^1 file was left as it is\. Mend that and run the same again/);
  });
});
