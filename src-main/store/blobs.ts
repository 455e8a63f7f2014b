import type { ContentPart, StoredPart } from '../../src-shared/index.ts';
import { createByteStore } from './bytes.ts';
import type { BlobStore } from './contract.ts';
import { imageSize } from './image-size.ts';

/** Bytes kept as files under `folder`, and the media of results among them. */
export function createBlobStore(folder: string): BlobStore {
  const { put, read } = createByteStore(folder);

  function storePart(part: ContentPart): StoredPart {
    if (part.type === 'resource') {
      const { blob: encoded, ...resource } = part.resource;
      // A server may call anything "blob": here it is the reference.
      const { blob: _foreign, ...rest } = part;
      return encoded === undefined ? rest : { ...rest, resource, blob: put(Buffer.from(encoded, 'base64')) };
    }
    if (part.type !== 'image' && part.type !== 'audio') return part;
    const bytes = Buffer.from(part.data, 'base64');
    const { data: _data, ...rest } = part;
    const blob = put(bytes);
    return part.type === 'image'
      ? { ...rest, type: 'image', mimeType: part.mimeType, blob, ...imageSize(bytes) }
      : { ...rest, type: 'audio', mimeType: part.mimeType, blob };
  }

  function loadPart(part: StoredPart): ContentPart {
    if (part.type === 'resource') {
      const { blob, ...rest } = part;
      if (!blob) return rest;
      return { ...rest, resource: { ...rest.resource, blob: Buffer.from(read(blob.sha256)).toString('base64') } };
    }
    if (part.type !== 'image' && part.type !== 'audio') return part;
    const data = Buffer.from(read(part.blob.sha256)).toString('base64');
    const { blob: _blob, width: _width, height: _height, ...rest } = part;
    return part.type === 'image'
      ? { ...rest, type: 'image', mimeType: part.mimeType, data }
      : { ...rest, type: 'audio', mimeType: part.mimeType, data };
  }

  return {
    put,
    read,
    storeResult: (result) => ({ ...result, content: result.content.map(storePart) }),
    loadResult: (result) => ({ ...result, content: result.content.map(loadPart) }),
  };
}
