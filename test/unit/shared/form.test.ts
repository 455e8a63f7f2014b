import { describe, expect, it } from 'vitest';
import { checkForm, formFields, secretField, withDefaults, type JsonObject } from '../../../src-shared/index.ts';

const fields = (properties: JsonObject, required: string[] = []) =>
  formFields({ type: 'object', properties, required });

describe('the fields of a form', () => {
  it('are those of the schema, in its order, with what it says of them', () => {
    expect(
      fields(
        {
          name: { type: 'string', title: 'Your name', description: 'As on the door', default: 'Ann', maxLength: 9 },
          age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
          share: { type: 'number' },
          sure: { type: 'boolean', default: true },
        },
        ['name'],
      ),
    ).toEqual([
      {
        ...{ name: 'name', title: 'Your name', description: 'As on the door', required: true },
        ...{ kind: 'text', initial: 'Ann', maxLength: 9 },
      },
      {
        ...{ name: 'age', title: 'age', description: '', required: false },
        ...{ kind: 'number', integer: true, minimum: 0, maximum: 150, initial: 30 },
      },
      { name: 'share', title: 'share', description: '', required: false, kind: 'number', integer: false },
      { name: 'sure', title: 'sure', description: '', required: false, kind: 'boolean', initial: true },
    ]);
  });

  it('know every way in which a choice is written', () => {
    const titled = [
      { value: 'r', label: 'Red' },
      { value: 'b', label: 'Blue' },
    ];
    const named = [
      { const: 'r', title: 'Red' },
      { const: 'b', title: 'Blue' },
    ];
    const plain = [
      { value: 'r', label: 'r' },
      { value: 'b', label: 'b' },
    ];
    expect(
      fields({
        plain: { type: 'string', enum: ['r', 'b'], default: 'b' },
        legacy: { type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'] },
        titled: { type: 'string', oneOf: named },
        several: { type: 'array', items: { type: 'string', enum: ['r', 'b'] }, minItems: 1, default: ['r'] },
        severalTitled: { type: 'array', items: { anyOf: named }, maxItems: 2 },
      }),
    ).toMatchObject([
      { kind: 'choice', options: plain, initial: 'b' },
      { kind: 'choice', options: titled },
      { kind: 'choice', options: titled },
      { kind: 'choices', options: plain, minItems: 1, initial: ['r'] },
      { kind: 'choices', options: titled, maxItems: 2 },
    ]);
  });

  it('hide nothing that they do not know', () => {
    expect(fields({ odd: { type: 'object' }, nothing: 3 })).toMatchObject([{ kind: 'text' }, { kind: 'text' }]);
  });
});

describe('what was filled in', () => {
  it('gets the defaults of the fields that were left out, and only of those', () => {
    const form = fields({
      a: { type: 'string', default: 'x' },
      b: { type: 'boolean', default: false },
      c: { type: 'array', items: { enum: ['1', '2'] }, default: ['1'] },
      d: { type: 'string' },
    });
    expect(withDefaults(form, { a: 'mine' })).toEqual({ a: 'mine', b: false, c: ['1'] });
  });

  it.each<[string, JsonObject, JsonObject[string] | undefined, string | undefined]>([
    ['a text', { type: 'string' }, 'x', undefined],
    ['a number instead of a text', { type: 'string' }, 1, 'kind'],
    ['too short a text', { type: 'string', minLength: 2 }, 'x', 'tooShort'],
    ['too long a text, counted in characters', { type: 'string', maxLength: 1 }, '😀😀', 'tooLong'],
    ['an e-mail address', { type: 'string', format: 'email' }, 'a@b', undefined],
    ['no e-mail address', { type: 'string', format: 'email' }, 'a.b', 'email'],
    ['a date', { type: 'string', format: 'date' }, '2026-02-28', undefined],
    ['no date', { type: 'string', format: 'date' }, '2026-13-28', 'date'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', undefined],
    ['a time without a zone', { type: 'string', format: 'date-time' }, '2026-02-28T10:00', 'date-time'],
    ['an address', { type: 'string', format: 'uri' }, 'https://example.org/a', undefined],
    ['no address', { type: 'string', format: 'uri' }, 'example', 'uri'],
    ['a fraction for a whole number', { type: 'integer' }, 1.5, 'integer'],
    ['too small a number', { type: 'number', minimum: 2 }, 1, 'tooSmall'],
    ['too large a number', { type: 'number', maximum: 2 }, 3, 'tooLarge'],
    ['no option', { type: 'string', enum: ['a'] }, 'b', 'option'],
    ['too few', { type: 'array', items: { enum: ['a'] }, minItems: 1 }, [], 'tooFew'],
    ['too many', { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], 'tooMany'],
    ['nothing at all', { type: 'boolean' }, undefined, 'required'],
  ])('is looked at: %s', (_what, schema, value, problem) => {
    expect(checkForm(fields({ it: schema }, ['it']), value === undefined ? {} : { it: value })).toEqual(
      problem === undefined ? {} : { it: problem },
    );
  });
});

describe('a secret', () => {
  it.each(['password', 'apiKey', 'api_key', 'access-token', 'Your API key', 'One-time code', 'token', 'card_number'])(
    'is seen: %s',
    (name) => expect(secretField(fields({ [name]: { type: 'string' } }))).toBe(name),
  );

  it('is seen in what is said of a field', () => {
    expect(secretField(fields({ a: { type: 'string', description: 'the password of your account' } }))).toBe('a');
  });

  it.each(['max_tokens', 'keyboard', 'secretary', 'pinned', 'passenger', 'card'])('is not everything: %s', (name) => {
    expect(secretField(fields({ [name]: { type: 'string' } }))).toBeUndefined();
  });
});
