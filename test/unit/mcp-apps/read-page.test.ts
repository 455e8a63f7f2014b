import { describe, expect, it } from 'vitest';
import { readPage } from '../../../src-main/mcp/apps/read-page.ts';
import { isVisibleTo, viewUriOf, VIEW_MIME_TYPE } from '../../../src-shared/index.ts';

const uri = 'ui://a/b';
const view = { uri, mimeType: VIEW_MIME_TYPE, text: '<p>Hi</p>' };

describe('the page of a view', () => {
  it('is text or base64, of the one type that views have', () => {
    expect(readPage(uri, [view]).html).toBe('<p>Hi</p>');
    const blob = Buffer.from('<p>你好</p>').toString('base64');
    expect(readPage(uri, [{ uri, mimeType: 'text/html; profile=mcp-app', blob }]).html).toBe('<p>你好</p>');
  });

  it.each([
    [[], 'gave nothing'],
    [[{ ...view, mimeType: 'text/html' }], 'is no view'],
    [[{ uri, text: 'x' }], 'is no view'],
    [[{ ...view, text: '  ' }], 'is empty'],
    [[{ ...view, text: 'x'.repeat(8 * 1024 * 1024 + 1) }], 'larger than 8 MB'],
  ])('is refused otherwise (%#)', (contents, words) => {
    expect(() => readPage(uri, contents)).toThrow(words);
  });

  it('says little about itself when what it says is odd', () => {
    const odd = { ...view, _meta: { ui: { csp: 7, permissions: [], prefersBorder: 'yes' } } };
    expect(readPage(uri, [odd]).look).toEqual({
      domains: { connect: [], resource: [], frame: [], baseUri: [] },
      refused: [],
      permissions: [],
    });
  });
});

describe('a tool', () => {
  it.each([
    [{ ui: { resourceUri: uri } }, uri],
    [{ 'ui/resourceUri': uri }, uri],
    [{ ui: { resourceUri: 'https://a.example/' } }, undefined],
    [{ ui: 'x' }, undefined],
    [undefined, undefined],
  ])('with the meta data %j has the view %j', (meta, found) => {
    expect(viewUriOf(meta ? { meta } : {})).toBe(found);
  });

  it('is for models and views unless it says otherwise', () => {
    expect([isVisibleTo({}, 'model'), isVisibleTo({}, 'app')]).toEqual([true, true]);
    const meta = { ui: { visibility: ['app'] } };
    expect([isVisibleTo({ meta }, 'model'), isVisibleTo({ meta }, 'app')]).toEqual([false, true]);
  });
});
