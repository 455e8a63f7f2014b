import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError, type BlobRef, type ContentPart, type StoredPart } from '../../src-shared/index.ts';
import { writeFileAtomic } from '../platform/index.ts';
import type { BlobStore } from './contract.ts';
import { imageSize } from './image-size.ts';

/** Bytes kept as files under `folder`, named by their SHA-256. */
export function createBlobStore(folder: string): BlobStore {
  const fileOf = (sha256: string): string => path.join(folder, sha256.slice(0, 2), sha256);

  function put(bytes: Uint8Array): BlobRef {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = fileOf(sha256);
    if (!existsSync(file)) writeFileAtomic(file, bytes);
    return { sha256, size: bytes.byteLength };
  }

  function read(sha256: string): Uint8Array {
    // The name becomes part of a path: nothing but a digest may pass.
    if (!/^[0-9a-f]{64}$/.test(sha256))
      throw new CausewayError('bad_input', 'That is not the name of a stored object.');
    try {
      return readFileSync(fileOf(sha256));
    } catch (cause) {
      throw new CausewayError('not_found', `The stored object ${sha256.slice(0, 12)} is not there any more.`, {
        cause,
      });
    }
  }

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
