import { describe, expect, it } from 'vitest';
import { entryName, findTrigger, menuEntries } from '../../../src-renderer/composer/offer-menu.ts';
import type { ServerOffers } from '../../../src-shared/index.ts';

const offers: ServerOffers = {
  resources: [
    { server: 'files', name: 'notes.md', uri: 'file:///notes.md' },
    { server: 'files', name: 'my-notes.md', uri: 'file:///my.md', title: 'Mine' },
  ],
  templates: [{ server: 'files', name: 'any', uriTemplate: 'file:///{path}', variables: ['path'] }],
  prompts: [{ server: 'chat', name: 'greet', title: 'Greet somebody', arguments: [] }],
};

describe('what opens the menu', () => {
  it.each([
    ['@', 1, { kind: 'resource', from: 0, query: '' }],
    ['look at @not', 12, { kind: 'resource', from: 8, query: 'not' }],
    ['look at @not and on', 12, { kind: 'resource', from: 8, query: 'not' }],
    ['a\n@x', 4, { kind: 'resource', from: 2, query: 'x' }],
    ['/gr', 3, { kind: 'prompt', from: 0, query: 'gr' }],
    ['/', 1, { kind: 'prompt', from: 0, query: '' }],
  ])('%j with the caret at %i', (text, caret, trigger) => {
    expect(findTrigger(text, caret)).toEqual(trigger);
  });

  it.each([
    ['me@example.org', 14],
    ['@done ', 6],
    ['a /gr', 5],
    ['/usr is full', 12],
    ['plain', 5],
  ])('is not %j with the caret at %i', (text, caret) => {
    expect(findTrigger(text, caret)).toBeUndefined();
  });
});

describe('the menu', () => {
  it('finds by name, title, address and server, what begins with it first', () => {
    const names = (query: string) => menuEntries(offers, { kind: 'resource', from: 0, query }).map(entryName);
    expect(names('')).toEqual(['notes.md', 'Mine', 'any']);
    expect(names('notes')).toEqual(['notes.md', 'Mine']);
    expect(names('MINE')).toEqual(['Mine']);
    expect(names('{path')).toEqual(['any']);
    expect(names('no such')).toEqual([]);
  });

  it('has prompts for themselves', () => {
    expect(menuEntries(offers, { kind: 'prompt', from: 0, query: 'absent' })).toEqual([]);
    expect(menuEntries(offers, { kind: 'prompt', from: 0, query: 'body' }).map(entryName)).toEqual(['Greet somebody']);
  });
});
