import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { z } from 'zod';
import { CausewayError, type ServerConfig, type ServerInput } from '../../../../src-shared/index.ts';
import { inputsNamedIn } from '../expand.ts';

/** An input as VS Code's files declare it; other kinds than these are asked for as text. */
const declaration = z.looseObject({
  id: z.string().min(1),
  description: z.string().optional(),
  password: z.boolean().optional(),
  default: z.string().optional(),
  options: z
    .array(z.union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)]))
    .optional(),
});
type Declaration = z.infer<typeof declaration>;

/** Keeps secrets; that of the store. */
export interface InputSecrets {
  get(name: string): string | undefined;
  set(name: string, value: string | null): void;
}

/** What servers need of the person: asked once, kept as a secret, never shown again. */
export interface Inputs {
  value(id: string): string | undefined;
  /** The inputs that this entry names, and whether they were given. */
  neededBy(config: ServerConfig): ServerInput[];
  /** @throws CausewayError `not_found` where nothing can be kept. */
  set(id: string, value: string | null): void;
}

/** @param configPath the file whose `inputs` declare them; one that is named and not declared is asked for all the same. */
export function createInputs(configPath: string, secrets: InputSecrets | undefined): Inputs {
  const keyOf = (id: string): string => `mcp.input.${id}`;
  const stored = (id: string): string | undefined => {
    try {
      return secrets?.get(keyOf(id));
    } catch {
      // One that can not be read is asked for again.
      return undefined;
    }
  };
  return {
    value: stored,
    neededBy(config) {
      const ids = inputsNamedIn(JSON.stringify(config));
      if (ids.length === 0) return [];
      const declared = readDeclarations(configPath);
      return ids.map((id) => describeInput(id, declared.get(id), stored(id) !== undefined));
    },
    set(id, value) {
      if (!secrets) throw new CausewayError('unavailable', 'No secret can be kept here.');
      secrets.set(keyOf(id), value);
    },
  };
}

function describeInput(id: string, declared: Declaration | undefined, given: boolean): ServerInput {
  const { description, password, options, default: preset } = declared ?? {};
  return {
    id,
    given,
    // One that nothing is known of may well be a key.
    secret: password ?? declared === undefined,
    ...(description !== undefined && { description }),
    ...(options && { options }),
    ...(preset !== undefined && { preset }),
  };
}

function readDeclarations(file: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  } catch {
    return found;
  }
  const list = z.looseObject({ inputs: z.array(z.unknown()) }).safeParse(value);
  for (const item of list.success ? list.data.inputs : []) {
    const parsed = declaration.safeParse(item);
    if (parsed.success) found.set(parsed.data.id, parsed.data);
  }
  return found;
}
