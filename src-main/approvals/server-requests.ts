import {
  CausewayError,
  checkForm,
  formFields,
  secretField,
  withDefaults,
  type ServerAnswer,
  type ServerRequest,
} from '../../src-shared/index.ts';

/** What is answered in the person's place, and why in a sentence; undefined for what may be put to the person. */
export function refuseRequest(
  request: ServerRequest,
  { server, canAsk }: { server: string; canAsk: boolean },
): { answer: ServerAnswer; reason: string } | undefined {
  const decline = (reason: string): { answer: ServerAnswer; reason: string } => ({
    answer: { action: 'decline' },
    reason,
  });
  if (request.kind === 'form') {
    const secret = secretField(formFields(request.schema));
    if (secret !== undefined) {
      return decline(
        `"${server}" asked for "${secret}" by form. Secrets are never given that way: a server takes them on a page of its own, or from its settings.`,
      );
    }
  }
  if (request.kind === 'url' && !isWebAddress(request.url)) {
    return decline(`"${server}" asked to open something that is no address of a web page.`);
  }
  if (canAsk) return undefined;
  return { answer: { action: 'cancel' }, reason: `"${server}" asked something, and there is nobody here to answer.` };
}

/**
 * What goes to the server: what was filled in, with its defaults for the rest.
 * @throws CausewayError `bad_input` naming the field that is not right.
 */
export function completeAnswer(request: ServerRequest, answer: ServerAnswer): ServerAnswer {
  if (request.kind !== 'form' || answer.action !== 'accept') return { action: answer.action };
  const fields = formFields(request.schema);
  const content = withDefaults(fields, answer.content ?? {});
  const wrong = Object.keys(checkForm(fields, content))[0];
  if (wrong !== undefined) {
    const title = fields.find(({ name }) => name === wrong)?.title ?? wrong;
    throw new CausewayError('bad_input', `"${title}" is not filled in as it is asked for.`);
  }
  return { action: 'accept', content };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
