import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { image, success, text } from '../../../src-shared/index.ts';
import { boundResult } from '../../../src-main/tools/bound-result.ts';
import { memoryOutputs } from '../../fixtures/memory-outputs.ts';

describe('the bound on a result', () => {
  it('leaves a result that fits as the very same object', () => {
    const result = success('short');
    expect(boundResult(result, 1000, memoryOutputs())).toBe(result);
  });

  it('keeps head and tail, says how much is left out and where the whole is', () => {
    const outputs = memoryOutputs();
    const long = `${'a'.repeat(5000)}${'z'.repeat(5000)}`;
    const bounded = boundResult(success(long), 1000, outputs);
    const shown = bounded.content[0]?.type === 'text' ? bounded.content[0].text : '';
    expect(shown).toMatch(/^a{600}\n\[… 9000 bytes left out; .*out-1 …\]\nz{400}$/);
    expect(outputs.whole()).toContain(long);
    expect(bounded.truncation?.handle).toBe('out-1');
  });

  it('never cuts a character in two and stays near the cap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 500, maxLength: 3000 }), (long) => {
        const bounded = boundResult(success(long), 1000, memoryOutputs());
        const shown = bounded.content[0]?.type === 'text' ? bounded.content[0].text : '';
        expect(shown.includes('\uFFFD')).toBe(long.includes('\uFFFD') && shown.includes('\uFFFD'));
        expect(Buffer.byteLength(shown)).toBeLessThan(1300);
      }),
    );
  });

  it('is kept however many parts there are: the first and the last are shown, and how much is between', () => {
    const outputs = memoryOutputs();
    const parts = Array.from({ length: 5000 }, (_, index) => text(`part ${index}`));
    const { content } = boundResult(success(parts), 4000, outputs);
    const shown = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    expect(Buffer.byteLength(shown)).toBeLessThan(4400);
    expect(shown).toMatch(/^part 0\npart 1\n[^]*bytes left out; .*out-1[^]*\npart 4999$/);
    expect(outputs.whole()).toContain('part 2500\n');
  });

  it('says so where the whole could not be kept', () => {
    const outputs = memoryOutputs();
    const full = { ...outputs, create: () => ({ ...outputs.create(), problem: 'the disk is full' }) };
    const { content } = boundResult(success('x'.repeat(9000)), 1000, full);
    expect(JSON.stringify(content)).toContain('8000 bytes left out, and not all of them kept: the disk is full.');
  });

  it('touches neither images nor their place', () => {
    const picture = image('AAAA', 'image/png');
    const bounded = boundResult(success([text('x'.repeat(9000)), picture, text('end')]), 1000, memoryOutputs());
    expect(bounded.content[1]).toBe(picture);
    expect(bounded.content[2]).toEqual(text('end'));
  });

  it('leaves structured content out as a whole when it is too large, and keeps it', () => {
    const outputs = memoryOutputs();
    const structuredContent = { rows: Array.from({ length: 500 }, (_, index) => ({ index })) };
    const picture = image('AAAA', 'image/png');
    const bounded = boundResult(success([text('500 rows'), picture], { structuredContent }), 1000, outputs);
    expect(bounded.structuredContent).toBeUndefined();
    expect(bounded.content.slice(0, 2)).toEqual([text('500 rows'), picture]);
    expect(JSON.stringify(bounded.content[2])).toContain('structured content: [… ');
    expect(outputs.whole()).toBe(`500 rows\n${JSON.stringify(structuredContent)}\n`);
    expect(bounded.truncation?.handle).toBe('out-1');
  });

  it('holds for the text of embedded resources, which stay resources', () => {
    const outputs = memoryOutputs();
    const resource = { uri: 'demo://long', text: 'r'.repeat(9000), later: { field: 1 } };
    const [part] = boundResult(success([{ type: 'resource', resource }]), 1000, outputs).content;
    expect(part).toMatchObject({ type: 'resource', resource: { uri: 'demo://long', later: { field: 1 } } });
    expect(JSON.stringify(part).length).toBeLessThan(1300);
    expect(outputs.whole()).toBe(`${resource.text}\n`);
  });

  it('holds for what a link is called, and for data beside the result', () => {
    const link = { type: 'resource_link' as const, uri: 'demo://a', name: 'n'.repeat(9000) };
    const bounded = boundResult(success([link], { meta: { big: 'm'.repeat(9000) } }), 1000, memoryOutputs());
    expect(JSON.stringify(bounded).length).toBeLessThan(700);
  });
});
