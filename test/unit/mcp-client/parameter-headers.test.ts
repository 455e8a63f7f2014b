import { describe, expect, it } from 'vitest';
import { headerParameters, parameterHeaders } from '../../../src-main/mcp/client/parameter-headers.ts';
import type { JsonObject } from '../../../src-shared/index.ts';

const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('parameters that are headers too', () => {
  it('are found at any depth, and carry the values of the call', () => {
    const parameters = headerParameters(
      schema({
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } } },
        size: { type: 'integer', 'x-mcp-header': 'Size' },
        plain: { type: 'string' },
      }),
    );
    expect(parameterHeaders(parameters, { region: 'eu', deep: { dry: false }, size: 3, plain: 'x' })).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Dry-Run': 'false',
      'Mcp-Param-Size': '3',
    });
  });

  it('that are not given have no header', () => {
    const parameters = headerParameters(schema({ a: { type: 'string', 'x-mcp-header': 'A' } }));
    expect(parameterHeaders(parameters, {})).toEqual({});
    expect(parameterHeaders(parameters, { a: null })).toEqual({});
  });

  it.each([
    ['', '=?base64??='],
    ['plain words', 'plain words'],
    [' edge', '=?base64?IGVkZ2U=?='],
    ['世界', '=?base64?5LiW55WM?='],
    ['two\nlines', '=?base64?dHdvCmxpbmVz?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ])('are encoded where a header can not carry them: %j', (value, header) => {
    const parameters = headerParameters(schema({ a: { type: 'string', 'x-mcp-header': 'A' } }));
    expect(parameterHeaders(parameters, { a: value })).toEqual({ 'Mcp-Param-A': header });
  });

  it.each<[string, JsonObject]>([
    ['a list item', schema({ a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } })],
    ['one of several shapes', { ...schema({}), anyOf: [schema({ a: { type: 'string', 'x-mcp-header': 'A' } })] }],
    ['an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['a fraction', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['no name', schema({ a: { type: 'string', 'x-mcp-header': '' } })],
    ['a name with a space', schema({ a: { type: 'string', 'x-mcp-header': 'A B' } })],
    [
      'a name twice',
      schema({ a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } }),
    ],
  ])('are refused when the protocol does not allow them: %s', (_what, bad) => {
    expect(() => headerParameters(bad)).toThrow(TypeError);
  });
});
