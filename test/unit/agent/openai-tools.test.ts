import { describe, expect, it } from 'vitest';
import { adaptSchema, toApiTool } from '../../../src-main/agent/openai/tools.ts';
import { isJsonObject, type FunctionTool, type JsonObject } from '../../../src-shared/index.ts';
import { badTools } from '../../fixtures/servers/bad-schemas.ts';

const tool = (description: string, parameters: JsonObject): FunctionTool => ({
  type: 'function',
  function: { name: 'a', description, parameters },
});

describe('a tool for an endpoint', () => {
  it('is as its author wrote it where that is a plain object schema', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', description: 'A.' }, list: { type: 'array', items: { $ref: '#/$defs/b' } } },
      required: ['a'],
      additionalProperties: false,
      $defs: { b: { type: ['string', 'null'] } },
    };
    expect(adaptSchema(schema)).toEqual(schema);
  });

  it('has an object at the top, with the properties of all choices, and requires what each of them does', () => {
    const branch = (name: string) => ({
      properties: { [name]: { type: 'string' }, both: {} },
      required: [name, 'both'],
    });
    expect(adaptSchema({ anyOf: [branch('a'), branch('b')] })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, both: {} },
      required: ['both'],
    });
    expect(adaptSchema({ type: 'string' })).toEqual({ type: 'object', properties: {} });
  });

  it('has no reference that leads nowhere, no pattern that is none, and says that a list holds anything', () => {
    const properties = {
      a: { $ref: '#/nowhere' },
      b: { $ref: 'https://example.org/schema' },
      c: { type: 'string', pattern: '(' },
      d: { type: 'array' },
      e: { type: 'banana' },
      f: { $ref: '#' },
    };
    expect(adaptSchema({ type: 'object', properties }).properties).toEqual({
      ...{ a: {}, b: {}, c: { type: 'string' }, d: { type: 'array', items: {} }, e: {} },
      f: { $ref: '#' },
    });
  });

  it('is not larger than it is worth: first without its texts, then without its properties', () => {
    const many = (count: number, description: string): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { description }])),
    });
    const wordy = adaptSchema(many(100, 'x'.repeat(1_000)));
    expect(isJsonObject(wordy['properties']) && Object.keys(wordy['properties'])).toHaveLength(100);
    expect(JSON.stringify(wordy).length).toBeLessThan(60_000);
    expect(adaptSchema(many(20_000, ''))).toEqual({ type: 'object', properties: {}, additionalProperties: true });
  });

  it('has a description that the endpoint takes, and is left whole elsewhere', () => {
    const wordy = tool('word '.repeat(400), { type: 'object' });
    expect(toApiTool(wordy, { openAI: true }).function.description).toHaveLength(1_024);
    expect(toApiTool(wordy, { openAI: false }).function.description).toHaveLength(2_000);
  });

  it('can be made of every bad schema, and leaves the original alone', () => {
    for (const { inputSchema } of badTools) {
      const original = isJsonObject(inputSchema) ? inputSchema : {};
      const before = JSON.stringify(original);
      const { parameters } = toApiTool(tool('', original), { openAI: true }).function;
      expect(parameters['type']).toBe('object');
      expect(isJsonObject(parameters['properties'])).toBe(true);
      expect(JSON.stringify(original)).toBe(before);
    }
  });
});
