/**
 * Headers of every page and file of the window. Styles may be inline because Svelte sets them on elements; scripts never.
 * @param connect where the page may connect to beside its own origin: older browsers do not count web sockets as 'self'.
 * @param frames the origin on which views of attached servers are framed, the only frames there are.
 */
export function securityHeaders({ connect, frames }: { connect?: string; frames: string }): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "media-src 'self' data: blob:",
      "font-src 'self'",
      ["connect-src 'self'", ...(connect === undefined ? [] : [connect])].join(' '),
      `frame-src ${frames}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}
