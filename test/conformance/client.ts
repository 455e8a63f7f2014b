/**
 * The client that the official suite tests: Causeway's own servers with one URL attached. The suite gives the address as the
 * last argument, and the scenario's name and facts in the environment.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServers } from '../../src-main/mcp/client/index.ts';
import { agreeableHost } from './host.ts';
import { scenarios, signedIn, type ScenarioFacts } from './scenarios.ts';
import { CLIENT_METADATA_URL, oauthEntry, signInAsPerson } from './sign-in.ts';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const facts = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as ScenarioFacts;

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-conformance-'));
const servers = createServers({
  configPath: path.join(folder, 'mcp.json'),
  runDir: path.join(folder, 'run'),
  clientInfo: { name: 'causeway', version: '1' },
  env: process.env,
  host: agreeableHost,
  clientMetadataUrl: CLIENT_METADATA_URL,
});
try {
  const config = { type: 'http' as const, url, headers: {}, disabled: false, ...oauthEntry(facts) };
  const attached = await servers.attach('suite', config);
  const view = attached.state === 'needs-sign-in' ? await signInAsPerson(servers, 'suite') : attached;
  if (view.state !== 'ready') throw new Error(`${view.state}: ${view.message ?? ''}`);
  const run = scenarios[scenario] ?? (scenario.startsWith('auth/') ? signedIn : undefined);
  await run?.(servers, facts);
} finally {
  await servers[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
