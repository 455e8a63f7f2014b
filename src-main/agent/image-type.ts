/** First characters of the base64 of each image type that chat models take (from the formats' magic numbers). */
const SIGNATURES = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

/** The true type of an image, whatever it was said to be; undefined when it is none that chat models take. */
export function imageType(base64: string): string | undefined {
  return SIGNATURES.find(([start]) => base64.startsWith(start))?.[1];
}
