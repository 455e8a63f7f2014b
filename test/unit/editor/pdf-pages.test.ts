import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countPdfPages } from '../../../src-main/tools/editor/pdf-pages.ts';

const pdf = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts.map((part) => Buffer.from(part))]);

describe('the number of pages of a PDF document', () => {
  it('is that of the root of its page tree, whatever else counts', () => {
    const outline = '9 0 obj << /Type /Outlines /Count 99 >> endobj\n';
    const root = '1 0 obj\n<</Type/Pages/Resources<</Font<</F1 4 0 R>>>>/Kids[2 0 R 3 0 R]/Count 12>>\nendobj\n';
    const inner = '2 0 obj << /Kids [5 0 R] /Count 7 /Parent 1 0 R /Type /Pages >> endobj\n';
    expect(countPdfPages(pdf(outline, root, inner))).toBe(12);
  });

  it('is found in compressed object streams', () => {
    const packed = deflateSync('1 0 2 30 <</Type/Pages/Count 5/Kids[3 0 R]>> <</Type/Catalog>>');
    const head = `7 0 obj\n<</Type/ObjStm/N 2/First 9/Filter/FlateDecode/Length ${packed.length}>>\nstream\r\n`;
    expect(countPdfPages(pdf(head, packed, '\r\nendstream endobj'))).toBe(5);
  });

  it('is unknown where nothing tells, or what tells is damaged', () => {
    expect(countPdfPages(pdf('...'))).toBeUndefined();
    expect(countPdfPages(pdf('/Type /Pages >> no count'))).toBeUndefined();
    expect(countPdfPages(pdf('<</Type/ObjStm/Filter/FlateDecode>>\nstream\nnot packed at all'))).toBeUndefined();
  });
});
