import type { JsonSchema } from '../../../src-shared/index.ts';
import type { PythonDescription, Terms } from './contract.ts';
import { MOST_REQUIREMENTS, REQUIREMENT } from './packages/requirement.ts';

/** What a model may give. Causeway's other parts rely on these names. */
export const inputSchema: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'Python source. The value of a last expression is shown, as in a notebook.' },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      description: 'Seconds until the code and everything it started is ended. Default 30.',
    },
    session: {
      type: 'boolean',
      description: 'Keep variables and imports for later calls that also say session: true. Default false.',
    },
    restart: {
      type: 'boolean',
      description:
        'Forget the variables and imports kept by session: true, and keep those of this call from now on. Implies session: true. Default false.',
    },
    packages: {
      type: 'array',
      items: {
        type: 'string',
        maxLength: 200,
        pattern: REQUIREMENT.source,
        description: 'A name, perhaps with extras and versions, such as "requests==2.32"; no option, path or address.',
      },
      maxItems: MOST_REQUIREMENTS,
      description:
        'Packages to install for this session before the code runs, where that is possible; the person is asked. Names with versions, such as "requests==2.32"; they stay for later calls of the session.',
    },
  },
  required: ['code'],
  additionalProperties: false,
};

const COMMON = [
  'Runs Python code in a sandbox and returns what it printed (standard output and standard error in order), the value of a last expression, and the traceback if it fails; output before a failure is kept.',
  'Each call starts from nothing: variables and imports of earlier calls are gone, unless session is true in both. Where a session was ended in between (a time limit, a restart by the person), the result says so. Threads and processes that a call of a session leaves running stand still until its next call.',
  'Pictures come back as images: open matplotlib figures, a last expression that is a picture, and display(x) for any of: a figure, a PIL image, PNG, JPEG or GIF bytes, an object with _repr_png_ or _repr_svg_. display is built in and can be called several times. A pandas table, shown so or as the last expression, is text for you and a grid for the person.',
  'There is no keyboard: input() fails.',
];
const NO_NETWORK = 'There is no network.';

const WORKSPACE: Readonly<Record<Terms['workspace'], string>> = {
  'read-write':
    'The workspace is the current folder, at its real path: read and write files there. Nothing else on the machine can be written and little can be read; /tmp is private and gone after the call. .git, .vscode and .idea are read-only, also in folders up to three levels down (the first hundred folders); new ones, and new repositories, are moved away after the call.',
  'read-only':
    'The workspace is the current folder, at its real path, and READ-ONLY here: files can be read, but not made, changed or removed (the person has set it so; use the editor tool for changes). Little else on the machine can be read; only /tmp can be written, which is private and gone after the call: print what matters.',
};
const PROGRAMS =
  'Other programs in /usr/bin can be started with subprocess. Where the workspace is the home folder, or has it inside, Python does not run.';
const WASM =
  'This Python is Pyodide (WebAssembly): the standard library only, and NO files of the workspace: put data into the code and print results, or use the editor and shell tools for files. Programs, threads and processes cannot be started.';

/** The tool's manual for a model, as exact as what is known of the backend allows. */
export function describeTool(known: PythonDescription | undefined, terms: Terms): string {
  return [...COMMON, ...placeSentences(known, terms)].join('\n');
}

function placeSentences(known: PythonDescription | undefined, terms: Terms): string[] {
  const cpython = `${WORKSPACE[terms.workspace]} ${PROGRAMS}\n${networkSentence(terms)}`;
  switch (known?.backend) {
    case 'bubblewrap':
      return [cpython, packagesSentence(known)];
    case 'wasm':
      return [WASM, NO_NETWORK];
    case 'none':
      return [`It does not work on this machine now: ${known.reason}`];
    default:
      return [`Where the machine allows it: ${cpython}`, `Elsewhere: ${WASM} ${NO_NETWORK}`];
  }
}

function networkSentence({ hosts }: Terms): string {
  if (hosts.length === 0) return NO_NETWORK;
  return (
    `Of the network only these hosts can be reached: ${hosts.join(', ')}. The way is an HTTP proxy that http_proxy and https_proxy name; ` +
    'urllib, requests and httpx take it by themselves, plain sockets reach nothing. What was refused stands in the result.'
  );
}

function packagesSentence({ version, packages, noPackages }: PythonDescription): string {
  const beside = packages.length > 0 ? `the standard library, ${packages.join(', ')}` : 'the standard library only';
  const more =
    noPackages === undefined
      ? 'More can be installed with packages; the person is asked.'
      : `Nothing can be installed: ${noPackages}`;
  return `CPython ${version ?? ''} with ${beside}. ${more}`;
}
