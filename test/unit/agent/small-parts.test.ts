import { describe, expect, test } from 'vitest';
import { abortable, withGrace } from '../../../src-main/agent/abort.ts';
import { imageType } from '../../../src-main/agent/image-type.ts';
import { createToolCallAssembler } from '../../../src-main/agent/openai/tool-calls.ts';
import { resolveModel } from '../../../src-main/agent/index.ts';
import { titleFrom } from '../../../src-main/agent/title.ts';
import { defaultSettings, type Settings } from '../../../src-shared/index.ts';
import { PIXEL } from '../../fixtures/tools.ts';

describe('titles', () => {
  test('are the first line that says something, without its markup', () => {
    expect(titleFrom('\n\n## Mend the parser\nmore')).toBe('Mend the parser');
  });

  test('are cut at a word', () => {
    const title = titleFrom('Please go through all the files of the project and rename every function');
    expect(title.length).toBeLessThanOrEqual(61);
    expect(title).toMatch(/\w…$/);
  });

  test('are never empty', () => {
    expect(titleFrom(' \n')).toBe('Task');
  });
});

describe('tool calls from a stream', () => {
  test('are put together by index, however the pieces are mixed', () => {
    const assembler = createToolCallAssembler();
    assembler.add({ index: 0, id: 'a', function: { name: 'one', arguments: '' } });
    assembler.add({ index: 1, id: 'b', function: { name: 'two', arguments: '{"y"' } });
    assembler.add({ index: 0, function: { arguments: '{"x":1}' } });
    assembler.add({ index: 1, function: { arguments: ':2}' } });
    expect(assembler.calls()).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{"y":2}' },
    ]);
  });

  test('that repeat an index under a new id are two calls', () => {
    const assembler = createToolCallAssembler();
    assembler.add({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } });
    assembler.add({ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } });
    expect(assembler.calls().map(({ name }) => name)).toEqual(['one', 'two']);
  });
});

describe('the type of an image', () => {
  test('is what its bytes say', () => {
    expect(imageType(PIXEL)).toBe('image/png');
    expect(imageType(Buffer.from('GIF89a').toString('base64'))).toBe('image/gif');
    expect(imageType(Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64'))).toBe('image/jpeg');
    expect(imageType(Buffer.from('<svg></svg>').toString('base64'))).toBeUndefined();
  });
});

describe('aborting', () => {
  test('ends a stream that takes no notice of its signal', async () => {
    async function* deaf(): AsyncGenerator<number> {
      yield 1;
      await new Promise(() => undefined);
    }
    const controller = new AbortController();
    const seen: number[] = [];
    await expect(async () => {
      for await (const item of abortable(deaf(), controller.signal)) {
        seen.push(item);
        controller.abort(new Error('enough'));
      }
    }).rejects.toThrow('enough');
    expect(seen).toEqual([1]);
  });

  test('waits a moment for what is on its way, and no longer', async () => {
    expect(await withGrace(Promise.resolve('there'), AbortSignal.abort(), 1000)).toBe('there');
    expect(await withGrace(new Promise<string>(() => undefined), AbortSignal.abort(), 1)).toBeUndefined();
  });
});

describe('the model that is set up', () => {
  const secrets = { get: () => undefined, set: () => undefined };
  const withModel = (model: Partial<Settings['model']>): Settings => ({
    ...defaultSettings,
    model: { ...defaultSettings.model, ...model },
  });

  test('comes from the settings before the environment', () => {
    const env = { OPENAI_API_KEY: 'k', CAUSEWAY_MODEL: 'from-env' };
    expect(resolveModel({ settings: withModel({ name: 'from-settings' }), secrets, env }).name).toBe('from-settings');
    expect(resolveModel({ settings: withModel({}), secrets, env }).name).toBe('from-env');
  });

  test('needs a key, unless its server runs on this machine', () => {
    const remote = withModel({ name: 'm', baseUrl: 'https://api.example.org/v1' });
    expect(() => resolveModel({ settings: remote, secrets, env: {} })).toThrow(/no key/);
    const local = withModel({ name: 'm', baseUrl: 'http://127.0.0.1:11434/v1' });
    expect(resolveModel({ settings: local, secrets, env: {} }).name).toBe('m');
  });

  test('needs a name for an endpoint that is not known', () => {
    const env = { OPENAI_BASE_URL: 'http://localhost:1234/v1' };
    expect(() => resolveModel({ settings: defaultSettings, secrets, env })).toThrow(/No model is chosen/);
  });
});
