import { z } from 'zod';
import { CausewayError, describeIssues, type BundleField } from '../../../../src-shared/index.ts';

const name = z.string().min(1).max(200);
const command = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const launch = command.extend({ platform_overrides: z.record(z.string(), command.partial()).optional() });
const option = z.looseObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).default(''),
  required: z.boolean().default(false),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  multiple: z.boolean().default(false),
  sensitive: z.boolean().default(false),
  min: z.number().optional(),
  max: z.number().optional(),
});

/** `manifest.json` of an MCP bundle, versions 0.1 to 0.4 (`dxt_version` in the older ones). What we do not use is not checked. */
const manifest = z.looseObject({
  manifest_version: z.string().optional(),
  dxt_version: z.string().optional(),
  name,
  display_name: z.string().max(1000).optional(),
  version: z.string().min(1).max(100),
  description: z.string().max(10_000).default(''),
  author: z.looseObject({ name: z.string().max(1000) }).optional(),
  server: z.looseObject({
    type: z.enum(['node', 'python', 'binary', 'uv']),
    entry_point: z.string().min(1).max(1000),
    mcp_config: launch.optional(),
  }),
  tools: z.array(z.looseObject({ name: z.string().max(1000) })).default([]),
  compatibility: z.looseObject({ platforms: z.array(z.string()).optional() }).optional(),
  user_config: z.record(z.string().regex(/^[\w.-]{1,100}$/), option).default({}),
});
export type Manifest = z.infer<typeof manifest>;

/** @throws CausewayError `bad_input` for what is no manifest, or one of a version or for a system that is not ours. */
export function readManifest(text: string, platform: NodeJS.Platform = process.platform): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new CausewayError('bad_input', 'The manifest.json of this bundle is not valid JSON.', { cause });
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success) {
    throw new CausewayError(
      'bad_input',
      `The manifest.json of this bundle is not right: ${describeIssues(parsed.error)}`,
    );
  }
  const found = parsed.data;
  const version = found.manifest_version ?? found.dxt_version;
  if (version === undefined || !/^(0\.\d+|1\.\d+)/.test(version)) {
    throw new CausewayError('bad_input', `Bundles of version ${version ?? '(none)'} are not known here.`);
  }
  const platforms = found.compatibility?.platforms;
  if (platforms && !platforms.includes(platform)) {
    throw new CausewayError('bad_input', `This bundle is for ${platforms.join(', ')}, and this is ${platform}.`);
  }
  if (!found.server.mcp_config && found.server.type !== 'uv') {
    throw new CausewayError('bad_input', 'The manifest.json of this bundle does not say what to run ("mcp_config").');
  }
  return found;
}

/** What the bundle asks the person for. @param resolve replaces variables in defaults. */
export function fieldsOf({ user_config }: Manifest, resolve: (text: string) => string): BundleField[] {
  return Object.entries(user_config).map(([key, given]) => ({
    key,
    type: given.type,
    title: given.title ?? key,
    description: given.description,
    required: given.required,
    multiple: given.multiple,
    sensitive: given.sensitive && given.type === 'string',
    ...(given.default !== undefined && { default: resolveDefault(given.default, resolve) }),
    ...(given.min !== undefined && { min: given.min }),
    ...(given.max !== undefined && { max: given.max }),
  }));
}

function resolveDefault<T>(value: T | string | string[], resolve: (text: string) => string): T | string | string[] {
  if (typeof value === 'string') return resolve(value);
  return Array.isArray(value) ? value.map((item) => resolve(String(item))) : value;
}
