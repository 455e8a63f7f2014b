/**
 * Types under which stored bytes may be shown. Everything else goes out as a plain download: HTML can carry scripts, and what a
 * server calls an image is only its word. SVG can carry them too: it is drawn as a picture, in which nothing runs, and the answer's
 * policy (`answerBlob`) forbids all of it to who opens the address as a page.
 */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'audio/wav',
  'audio/mpeg',
  'audio/ogg',
  'audio/webm',
  'audio/mp4',
]);

/** The content type for stored bytes of which somebody said they are `claimed`. */
export function safeMediaType(claimed: string | null): string {
  const type = claimed?.toLowerCase() ?? '';
  return SHOWN_TYPES.has(type) ? type : 'application/octet-stream';
}
