import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BundleField, BundleValues, BundleView, ServerView } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';
import { BadUsage } from '../command.ts';
import { formatBytes } from '../format.ts';
import type { CliTerminal } from '../terminal.ts';
import { confirm } from './servers-proposals.ts';

/** True for the path of a bundle that is there. */
export function isBundle(text: string): boolean {
  return /\.(mcpb|dxt)$/i.test(text) && existsSync(text);
}

/** Shows what is in a bundle, asks for what it needs, and adds it. @throws BadUsage when the person says no. */
export async function addBundle(
  app: App,
  text: string,
  { name, set, yes }: { name: string | undefined; set: Record<string, string>; yes: true | undefined },
  terminal: CliTerminal,
): Promise<ServerView> {
  const file = path.resolve(text);
  const bundle = await app.bundles.look(file);
  const as = name ?? bundle.name;
  terminal.say(describeBundle(bundle, as));
  const values = await askValues(bundle.fields, set, terminal);
  await confirm('Unpack and add it?', yes, terminal);
  await app.bundles.add(file, as, values);
  return app.servers.restart(as);
}

function describeBundle(
  { title, version, author, description, target, values, files, bytes, tools }: BundleView,
  as: string,
): string {
  const lines = [
    description,
    `${files} files, ${formatBytes(bytes)} unpacked`,
    ...(tools.length > 0 ? [`Tools: ${tools.join(', ')}`] : []),
    target,
    ...values,
  ];
  const by = author === '' ? '' : ` by ${author}`;
  return [`${title} ${version}${by}, to be added as "${as}"`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** What `--set` gives, and for what is still needed what the person at the terminal answers. */
async function askValues(
  fields: readonly BundleField[],
  set: Record<string, string>,
  terminal: CliTerminal,
): Promise<BundleValues> {
  const unknown = Object.keys(set).filter((key) => !fields.some((field) => field.key === key));
  if (unknown.length > 0) {
    throw new BadUsage(
      `The bundle does not ask for ${unknown.join(', ')}; it asks for ${fields.map(({ key }) => key).join(', ')}.`,
    );
  }
  const values: BundleValues = {};
  for (const field of fields) {
    const given = set[field.key];
    if (given !== undefined) values[field.key] = field.multiple ? given.split(',') : given;
    else if (field.required && field.default === undefined) {
      if (!terminal.interactive) throw new BadUsage(`It needs "${field.title}": pass --set ${field.key}=VALUE.`);
      values[field.key] = await terminal.ask(`${field.title} (${field.description}): `, terminal.signal, {
        secret: field.sensitive,
      });
    }
  }
  return values;
}
