import {
  CausewayError,
  isJsonObject,
  VIEW_MIME_TYPE,
  type ResourceContents,
  type ViewLook,
} from '../../../src-shared/index.ts';
import { readDomains } from './policy.ts';

/** Bytes of a view's page; single files with a whole charting or map library in them have a few million. */
export const MOST_PAGE_BYTES = 8 * 1024 * 1024;

/** A view's page, and what it says of itself. */
export interface ViewPage {
  html: string;
  look: ViewLook;
}

/**
 * The page in what a server gave for a `ui://` resource.
 * @throws CausewayError `protocol` for what is no view.
 */
export function readPage(uri: string, contents: readonly ResourceContents[]): ViewPage {
  const found = contents.find((item) => item.uri === uri) ?? contents[0];
  if (!found) throw new CausewayError('protocol', `The server gave nothing for ${uri}.`);
  const type = found.mimeType?.replace(/\s/g, '').toLowerCase();
  if (type !== VIEW_MIME_TYPE) {
    throw new CausewayError('protocol', `${uri} is of the type "${found.mimeType ?? 'unknown'}", which is no view.`, {
      hint: `A view is "${VIEW_MIME_TYPE}".`,
    });
  }
  const html = found.text ?? (found.blob === undefined ? '' : Buffer.from(found.blob, 'base64').toString('utf8'));
  if (html.trim() === '') throw new CausewayError('protocol', `The page of ${uri} is empty.`);
  if (Buffer.byteLength(html) > MOST_PAGE_BYTES) {
    throw new CausewayError('protocol', `The page of ${uri} is larger than ${MOST_PAGE_BYTES / 1024 / 1024} MB.`);
  }
  return { html, look: readLook(found['_meta']) };
}

function readLook(meta: unknown): ViewLook {
  const ui = isJsonObject(meta) && isJsonObject(meta['ui']) ? meta['ui'] : {};
  const { csp, permissions, prefersBorder } = ui;
  return {
    ...readDomains(csp),
    permissions: isJsonObject(permissions)
      ? Object.keys(permissions)
          .slice(0, 20)
          .map((name) => name.slice(0, 50))
      : [],
    ...(typeof prefersBorder === 'boolean' && { border: prefersBorder }),
  };
}
