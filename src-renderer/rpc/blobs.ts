/** Where the bytes of a stored picture or sound are. Relative, so that it holds in the web host and in the desktop app. */
export function blobUrl(sha256: string, mimeType: string): string {
  return `./blob/${sha256}?type=${encodeURIComponent(mimeType)}`;
}
