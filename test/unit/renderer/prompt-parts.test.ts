import { describe, expect, it } from 'vitest';
import { promptParts } from '../../../src-renderer/composer/prompt-parts.ts';
import { embedded, image, text } from '../../../src-shared/index.ts';

describe('the parts of a server’s prompt', () => {
  it('are words where they are text, also that of a resource', () => {
    const page = { type: 'resource', resource: { uri: 'it://page', text: 'the page' } } as const;
    expect(promptParts('it', [text('Sum up:'), page])).toEqual({
      text: 'Sum up:\n\nthe page',
      attachments: [],
      leftOut: 0,
    });
  });

  it('are attachments where they are files or links, under the name that people read', () => {
    const link = { type: 'resource_link', uri: 'it://plan', name: 'plan', title: 'The plan' } as const;
    const bare = { type: 'resource_link', uri: 'it://list', name: 'list' } as const;
    expect(promptParts('it', [link, bare, embedded('it://scan.png', 'image/png', 'AA==')]).attachments).toEqual([
      { server: 'it', uri: 'it://plan', name: 'The plan' },
      { server: 'it', uri: 'it://list', name: 'list' },
      { server: 'it', uri: 'it://scan.png', name: 'it://scan.png' },
    ]);
  });

  it('are counted where they can not be sent', () => {
    expect(promptParts('it', [image('AA==', 'image/png'), text('x')])).toMatchObject({ text: 'x', leftOut: 1 });
  });
});
