import type { AttachmentRef, ContentPart } from '../../src-shared/index.ts';

/** What a filled-in prompt brings to the composer. */
export interface PromptParts {
  /** To be seen, and changed, before it is sent. */
  readonly text: string;
  /** Resources that it names or holds; they are read when the message is sent. */
  readonly attachments: readonly AttachmentRef[];
  /** How many parts can not be sent: pictures and sounds without an address. */
  readonly leftOut: number;
}

/** Sorts the parts of a server's prompt into words and attachments, in their order. */
export function promptParts(server: string, parts: readonly ContentPart[]): PromptParts {
  const words: string[] = [];
  const attachments: AttachmentRef[] = [];
  let leftOut = 0;
  for (const part of parts) {
    if (part.type === 'text') words.push(part.text);
    else if (part.type === 'resource_link') {
      attachments.push({ server, uri: part.uri, name: part.title ?? part.name });
    } else if (part.type === 'resource') {
      const { uri, text } = part.resource;
      if (text !== undefined) words.push(text);
      else attachments.push({ server, uri, name: uri });
    } else leftOut += 1;
  }
  return { text: words.join('\n\n'), attachments, leftOut };
}
