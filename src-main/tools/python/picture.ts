/** How the base64 form of a picture begins: with the bytes that its format begins with. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  // The signature and the header chunk, which is always the first (PNG, section 5.6).
  'image/png': 'iVBORw0KGgoAAAANSUhE',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
};
/** Where the element of an SVG must begin, in base64 characters: behind a declaration and comments. */
const SVG_BEGINNING = 8_192;

/** Whether base64 data begins as a picture of that type does; a worker's word for it is not enough. */
export function isPicture(mimeType: string, data: string): boolean {
  if (mimeType === 'image/svg+xml') {
    return Buffer.from(data.slice(0, SVG_BEGINNING), 'base64').toString('utf8').includes('<svg');
  }
  const beginning = BEGINNINGS[mimeType];
  return beginning !== undefined && data.startsWith(beginning);
}
