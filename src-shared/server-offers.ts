import { z } from 'zod';

const icons = z.array(z.looseObject({ src: z.string() }));
const described = {
  server: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  icons: icons.optional(),
};

/** Something that an attached server lets be read: a file, a page, a record. */
export const serverResource = z.object({
  ...described,
  uri: z.string(),
  mimeType: z.string().optional(),
  size: z.number().optional(),
});
export type ServerResource = z.infer<typeof serverResource>;

/** Resources that are named by filling in an address. */
export const serverTemplate = z.object({
  ...described,
  uriTemplate: z.string(),
  mimeType: z.string().optional(),
  variables: z.array(z.string()),
});
export type ServerTemplate = z.infer<typeof serverTemplate>;

/** Words that an attached server has ready for the person to send. */
export const serverPrompt = z.object({
  ...described,
  arguments: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      required: z.boolean(),
    }),
  ),
});
export type ServerPrompt = z.infer<typeof serverPrompt>;

/** What attached servers offer beside tools. */
export const serverOffers = z.object({
  resources: z.array(serverResource),
  templates: z.array(serverTemplate),
  prompts: z.array(serverPrompt),
});
export type ServerOffers = z.infer<typeof serverOffers>;

/** What is being filled in when suggestions are wanted: an argument of a prompt, or a variable of a template. */
export const completionTarget = z.union([z.object({ prompt: z.string() }), z.object({ uriTemplate: z.string() })]);
export type CompletionTarget = z.infer<typeof completionTarget>;

/** A resource that goes with a message. */
export const attachmentRef = z.object({ server: z.string(), uri: z.string(), name: z.string() });
export type AttachmentRef = z.infer<typeof attachmentRef>;
