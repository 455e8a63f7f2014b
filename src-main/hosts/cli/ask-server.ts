import {
  checkForm,
  formFields,
  type EventOf,
  type FormField,
  type JsonObject,
  type JsonValue,
  type ServerAnswer,
} from '../../../src-shared/index.ts';
import type { CliTerminal } from './terminal.ts';

/** Puts what a server asks to the person at the terminal: a form field by field, everything else as yes or no. */
export async function askForServer(
  { server, request }: EventOf<'server.asked'>,
  terminal: CliTerminal,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  terminal.say(`\nThe server "${server}" asks: ${request.message}`);
  if (request.kind === 'form') return askForm(formFields(request.schema), terminal, signal);
  if (request.kind === 'url') {
    terminal.say(`It wants you to open a page of ${new URL(request.url).host}:\n${request.url}`);
    return yesOrNo('Did you open it, and may the server go on? [y]es or no: ', terminal, signal);
  }
  return yesOrNo('It wants an answer of your model to this. Allow it? [y]es or no: ', terminal, signal);
}

async function yesOrNo(question: string, terminal: CliTerminal, signal: AbortSignal): Promise<ServerAnswer> {
  const word = (await terminal.ask(question, signal)).trim().toLowerCase();
  return { action: word === 'y' || word === 'yes' ? 'accept' : 'decline' };
}

async function askForm(
  fields: readonly FormField[],
  terminal: CliTerminal,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const content: JsonObject = {};
  for (const field of fields) {
    const value = await askField(field, terminal, signal);
    if (value !== undefined) content[field.name] = value;
  }
  const send = await yesOrNo('Send this? [y]es or no: ', terminal, signal);
  return send.action === 'accept' ? { action: 'accept', content } : send;
}

/** Asks until it is right; an empty line is what the field starts with, or nothing. */
async function askField(field: FormField, terminal: CliTerminal, signal: AbortSignal): Promise<JsonValue | undefined> {
  for (;;) {
    const typed = (await terminal.ask(promptFor(field), signal)).trim();
    const value = typed === '' ? startOf(field) : readTyped(field, typed);
    const problem = checkForm([field], value === undefined ? {} : { [field.name]: value })[field.name];
    if (problem === undefined) return value;
    terminal.say(`  That is not right (${problem}).`);
  }
}

function promptFor(field: FormField): string {
  const options =
    field.kind === 'choice' || field.kind === 'choices'
      ? field.options.map(({ label }, index) => `  ${index + 1}. ${label}\n`).join('')
      : '';
  const how = {
    text: '',
    number: '',
    boolean: ' (yes or no)',
    choice: ' (a number)',
    choices: ' (numbers, with commas)',
  }[field.kind];
  const start = field.initial === undefined ? '' : ` [${String(field.initial)}]`;
  const about = field.description === '' ? '' : ` - ${field.description}`;
  return `${field.title}${about}${how}\n${options}${start}> `;
}

function startOf(field: FormField): JsonValue | undefined {
  return typeof field.initial === 'object' ? [...field.initial] : field.initial;
}

function readTyped(field: FormField, typed: string): JsonValue {
  switch (field.kind) {
    case 'text':
      return typed;
    case 'number':
      return Number.isNaN(Number(typed)) ? typed : Number(typed);
    case 'boolean':
      return ['y', 'yes', 'true'].includes(typed.toLowerCase());
    case 'choice':
      return field.options[Number(typed) - 1]?.value ?? typed;
    case 'choices':
      return typed.split(',').map((number) => field.options[Number(number) - 1]?.value ?? number.trim());
  }
}
