/** A message of a worker other than a picture, in bytes. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** One picture, in bytes. */
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024;
/** Pictures of one job, whatever the worker says of itself; and all of them together, as base64 characters. */
export const MAX_PICTURES = 20;
export const MAX_PICTURES_LENGTH = 48 * 1024 * 1024;

/** Objects and arrays in one message: twenty tables of two hundred rows are 4,000. */
const MAX_CONTAINERS = 20_000;
const [QUOTE, BACKSLASH, BRACE, BRACKET] = ['"', '\\', '{', '['].map((character) => character.charCodeAt(0));

/**
 * Whether JSON has no more objects and arrays than a worker's messages ever have. Its parser takes seconds for a few megabytes of
 * brackets, and nothing else can happen meanwhile; to count them takes milliseconds.
 */
export function isWithinBounds(json: Uint8Array): boolean {
  let containers = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) index += 1;
    else if (!inText && (byte === BRACE || byte === BRACKET)) {
      containers += 1;
      if (containers > MAX_CONTAINERS) return false;
    }
  }
  return true;
}
