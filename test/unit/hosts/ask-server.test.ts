import { describe, expect, it } from 'vitest';
import { askForServer } from '../../../src-main/hosts/cli/ask-server.ts';
import type { CliTerminal } from '../../../src-main/hosts/cli/terminal.ts';
import type { ServerRequest } from '../../../src-shared/index.ts';

const FORM: ServerRequest = {
  kind: 'form',
  message: 'Which trip?',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      seats: { type: 'integer', default: 1 },
      sure: { type: 'boolean' },
      class: { type: 'string', oneOf: [{ const: 'e', title: 'Economy' }] },
      meals: { type: 'array', items: { type: 'string', enum: ['Lunch', 'Dinner'] } },
    },
    required: ['name'],
  },
};

/** A terminal at which a person types these lines. */
async function typing(request: ServerRequest, ...lines: string[]) {
  const said: string[] = [];
  const terminal: CliTerminal = {
    answer: () => undefined,
    say: (text) => void said.push(text),
    interactive: true,
    ask: (question) => {
      said.push(question);
      return Promise.resolve(lines.shift() ?? '');
    },
    onLine: () => ({ [Symbol.dispose]: () => undefined }),
    signal: new AbortController().signal,
  };
  const answer = await askForServer(
    { type: 'server.asked', requestId: 'r', server: 'trips', request },
    terminal,
    terminal.signal,
  );
  return { answer, said: said.join('\n') };
}

describe('what a server asks, at the terminal', () => {
  it('is a form field by field; what is wrong is asked again, an empty line is the default', async () => {
    const { answer, said } = await typing(FORM, 'A', 'Ann', '', 'yes', '1', '2, 1', 'y');
    expect(answer).toEqual({
      action: 'accept',
      content: { name: 'Ann', seats: 1, sure: true, class: 'e', meals: ['Dinner', 'Lunch'] },
    });
    expect(said).toContain('"trips" asks: Which trip?');
    expect(said).toContain('not right (tooShort)');
  });

  it('is not sent without a yes', async () => {
    expect((await typing(FORM, 'Ann', '', '', '', '', 'n')).answer).toEqual({ action: 'decline' });
  });

  it('is a page with its whole address and its host', async () => {
    const url = 'https://example.org/in?state=1';
    const { answer, said } = await typing({ kind: 'url', message: 'Sign in.', url }, 'y');
    expect(answer).toEqual({ action: 'accept' });
    expect(said).toContain(`a page of example.org:\n${url}`);
  });

  it('is a question to the model, which an empty line declines', async () => {
    expect((await typing({ kind: 'sampling', message: 'Hi?' }, '')).answer).toEqual({ action: 'decline' });
  });
});
