import { z } from 'zod';
import { namedServer } from './adding-servers.ts';

const text = z.string().max(10_000);

/** A value that a bundle asks the person for. */
export const bundleField = z.object({
  key: z.string(),
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: text,
  description: text,
  required: z.boolean(),
  /** Several values, one a line. */
  multiple: z.boolean(),
  /** Kept among the secrets, and not in the config file. */
  sensitive: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
});
export type BundleField = z.infer<typeof bundleField>;

/** What the person gave for the fields of a bundle. */
export const bundleValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));
export type BundleValues = z.infer<typeof bundleValues>;

/** A bundle (`.mcpb`, `.dxt`) as people see it before anything of it is unpacked for use. */
export const bundleView = z.object({
  /** A free name for the server. */
  name: namedServer.shape.name,
  title: text,
  version: text,
  description: text,
  author: text,
  type: z.enum(['node', 'python', 'binary', 'uv']),
  /** The whole command line that would run. */
  target: z.string(),
  /** Its environment, as `NAME=value`. */
  values: z.array(z.string()),
  files: z.number(),
  bytes: z.number(),
  /** Names of the tools that it says it has. */
  tools: z.array(z.string()),
  fields: z.array(bundleField),
});
export type BundleView = z.infer<typeof bundleView>;

export const bundleUpload = z.object({
  /** Of the parts before; none for the first. */
  upload: z.string().max(100).optional(),
  /** A part of the file in base64. */
  data: z.string().max(3_000_000),
  last: z.boolean(),
});

export const bundleUploaded = z.object({
  upload: z.string(),
  /** With the last part. */
  bundle: bundleView.optional(),
});
