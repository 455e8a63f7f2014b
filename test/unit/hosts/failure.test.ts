import { describe, expect, it } from 'vitest';
import { CausewayError } from '../../../src-shared/index.ts';
import { failureOf } from '../../../src-main/hosts/cli/failure.ts';
import { Interrupted } from '../../../src-main/hosts/cli/terminal.ts';

const NEVER = new AbortController().signal;

describe('a failure of a command', () => {
  it('is what ended the program, not what broke because of it; there is nothing to say of that', () => {
    const ended = AbortSignal.abort(new Interrupted('Stopped by SIGINT.', 130));
    expect(failureOf(new CausewayError('io', 'The pipe broke.'), ended)).toEqual({
      ...{ exitCode: 130, code: 'cancelled', message: 'Stopped by SIGINT.' },
      said: undefined,
    });
  });

  it('is told whole to people, and in parts to programs', () => {
    const error = new CausewayError('conflict', 'It runs.', { hint: 'Stop it first.' });
    expect(failureOf(error, NEVER)).toEqual({
      ...{ exitCode: 1, said: 'It runs. Stop it first.' },
      ...{ code: 'conflict', message: 'It runs.', hint: 'Stop it first.' },
    });
  });

  it('may be anything that was thrown', () => {
    expect(failureOf('odd', NEVER)).toMatchObject({ exitCode: 1, said: 'odd', code: 'internal' });
  });
});
