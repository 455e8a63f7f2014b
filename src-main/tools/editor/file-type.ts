/** What a file is by its first bytes, where it is more than text. */
export type FileType = { kind: 'image' | 'pdf'; mimeType: string } | { kind: 'binary'; name: string };

interface Signature {
  bytes: readonly (number | undefined)[];
  type: FileType;
}

const image = (mimeType: string): FileType => ({ kind: 'image', mimeType });
const binary = (name: string): FileType => ({ kind: 'binary', name });
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

/** First bytes as their formats define them; undefined matches any byte. */
const SIGNATURES: readonly Signature[] = [
  { bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a], type: image('image/png') },
  { bytes: [0xff, 0xd8, 0xff], type: image('image/jpeg') },
  { bytes: ascii('GIF87a'), type: image('image/gif') },
  { bytes: ascii('GIF89a'), type: image('image/gif') },
  {
    bytes: [...ascii('RIFF'), undefined, undefined, undefined, undefined, ...ascii('WEBP')],
    type: image('image/webp'),
  },
  { bytes: ascii('%PDF-'), type: { kind: 'pdf', mimeType: 'application/pdf' } },
  { bytes: [0x7f, ...ascii('ELF')], type: binary('program (ELF)') },
  { bytes: [...ascii('PK'), 3, 4], type: binary('ZIP archive') },
  { bytes: [0x1f, 0x8b], type: binary('gzip archive') },
  { bytes: [...ascii('SQLite format 3'), 0], type: binary('SQLite database') },
];

/** The type of a file by its first bytes; undefined when they are of no known format. */
export function fileType(head: Uint8Array): FileType | undefined {
  return SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => byte === undefined || head[index] === byte))?.type;
}
