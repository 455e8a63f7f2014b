import { signInAsPerson } from './sign-in.ts';
import type { Servers } from '../../src-main/mcp/client/index.ts';
import { createLocalOperator } from '../../src-main/operator/index.ts';
import type { Tool } from '../../src-main/tools/index.ts';
import type { JsonObject } from '../../src-shared/index.ts';

/** What a scenario of the suite wants to see of a client that is connected. */
export type Scenario = (servers: Servers, facts: ScenarioFacts) => Promise<void>;

/** What the suite says of a scenario, beside its address. */
export interface ScenarioFacts {
  toolCalls?: { name: string; arguments: JsonObject }[];
  /** A client that was registered by hand. */
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
}

/** What is done beyond connecting and listing, by the scenario's name. Those that are not named only connect and list. */
export const scenarios: Record<string, Scenario> = {
  tools_call: (servers) => call(servers, 'add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': (servers) => callEach(servers),
  'sse-retry': (servers) => callEach(servers),
  'sep-2322-client-request-state': (servers) => callEach(servers),
  'http-standard-headers': (servers) => callEach(servers),
  'http-custom-headers': async (servers, { toolCalls = [] }) => {
    for (const wanted of toolCalls) await call(servers, wanted.name, wanted.arguments);
  },
  'http-invalid-tool-headers': (servers) => callEach(servers, { region: 'us-west1' }),
};

/** Those about signing in: they want a call that only goes through when signed in. */
export const signedIn: Scenario = async (servers) => {
  try {
    await callEach(servers);
  } catch (error) {
    // A person who is asked for more agrees, once.
    if (!servers.list().some(({ signIn }) => signIn === 'needed' || signIn === 'more')) throw error;
    await signInAsPerson(servers, 'suite');
    await callEach(servers);
  }
};

async function callEach(servers: Servers, input: JsonObject = {}): Promise<void> {
  for (const tool of servers.tools()) await run(tool, input);
}

async function call(servers: Servers, originalName: string, input: JsonObject): Promise<void> {
  const tool = servers.tools().find(({ origin }) => origin.kind === 'server' && origin.originalName === originalName);
  if (!tool) throw new Error(`There is no tool "${originalName}".`);
  await run(tool, input);
}

async function run(tool: Tool, input: JsonObject): Promise<void> {
  const result = await tool.execute(input, {
    signal: AbortSignal.timeout(60_000),
    callId: 'call',
    sessionId: 'session',
    caller: { kind: 'person' },
    operator: await createLocalOperator({ workspace: import.meta.dirname }),
    output: { write: () => undefined, progress: () => undefined },
    ask: () => Promise.reject(new Error('nobody to ask')),
  });
  console.log(tool.name, JSON.stringify(result));
}
