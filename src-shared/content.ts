import { z } from 'zod';

/**
 * Content parts as MCP defines them (2025-11-25, "ContentBlock"). Objects are loose on purpose: annotations, `_meta` and
 * fields of later revisions travel through Causeway untouched.
 */
export const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
/** `data` is base64. */
export const imagePart = z.looseObject({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
/** `data` is base64. */
export const audioPart = z.looseObject({ type: z.literal('audio'), data: z.string(), mimeType: z.string() });
export const resourcePart = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
export const linkPart = z.looseObject({
  type: z.literal('resource_link'),
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
});

/** One ordered part of a tool result or a message. */
export const contentPart = z.discriminatedUnion('type', [textPart, imagePart, audioPart, resourcePart, linkPart]);

export type TextPart = z.infer<typeof textPart>;
export type ImagePart = z.infer<typeof imagePart>;
export type ContentPart = z.infer<typeof contentPart>;

/** Where the bytes of a stored part are: the blob store, addressed by content. `size` is in bytes. */
export const blobRef = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().nonnegative() });
export type BlobRef = z.infer<typeof blobRef>;

/** An image in the event log: the bytes are in the blob store, never in the log. */
export const storedImagePart = z.looseObject({
  type: z.literal('image'),
  mimeType: z.string(),
  blob: blobRef,
  /** Pixels, when the header could be read. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
});
export const storedAudioPart = z.looseObject({ type: z.literal('audio'), mimeType: z.string(), blob: blobRef });
/** A file within a result: its bytes are in the blob store. In logs of earlier versions they are still in `resource.blob`. */
export const storedResourcePart = resourcePart.extend({ blob: blobRef.optional() });
/** A content part as the event log keeps it. */
export const storedPart = z.discriminatedUnion('type', [
  textPart,
  storedImagePart,
  storedAudioPart,
  storedResourcePart,
  linkPart,
]);
export type StoredImagePart = z.infer<typeof storedImagePart>;
export type StoredPart = z.infer<typeof storedPart>;

/** A text part. */
export function text(value: string): TextPart {
  return { type: 'text', text: value };
}

/** A file as an embedded resource; `blob` is base64. */
export function embedded(uri: string, mimeType: string, blob: string): ContentPart {
  return { type: 'resource', resource: { uri, mimeType, blob } };
}

/** An image part; `data` is base64. */
export function image(data: string, mimeType: string): ImagePart {
  return { type: 'image', data, mimeType };
}
