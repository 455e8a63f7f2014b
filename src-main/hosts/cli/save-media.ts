import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toText, type ContentPart } from '../../../src-shared/index.ts';

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
};

/**
 * Content parts as lines for a terminal. Pictures, sounds and documents are written to a folder under the system's temporary one, made
 * when the first is needed, and each is named in its line.
 */
export async function saveMedia(content: readonly ContentPart[]): Promise<string[]> {
  let folder: string | undefined;
  const lines: string[] = [];
  for (const [index, part] of content.entries()) {
    const media = mediaOf(part);
    if (!media) {
      lines.push(toText({ content: [part] }));
      continue;
    }
    folder ??= await mkdtemp(path.join(tmpdir(), 'causeway-media-'));
    const file = path.join(folder, `${index + 1}.${EXTENSIONS[media.mimeType] ?? 'bin'}`);
    const bytes = Buffer.from(media.data, 'base64');
    await writeFile(file, bytes, { mode: 0o600 });
    lines.push(`[${part.type}: ${media.mimeType}, ${bytes.length} bytes, saved as ${file}]`);
  }
  return lines;
}

/** The bytes of a part, in base64; undefined for what is text or a link. */
function mediaOf(part: ContentPart): { data: string; mimeType: string } | undefined {
  if (part.type === 'image' || part.type === 'audio') return part;
  if (part.type !== 'resource' || part.resource.blob === undefined) return undefined;
  return { data: part.resource.blob, mimeType: part.resource.mimeType ?? 'application/octet-stream' };
}
