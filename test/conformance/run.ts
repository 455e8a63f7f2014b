/**
 * Runs the official conformance suite against Causeway: every client scenario that a revision of the protocol requires, at
 * that revision. Ends with 0 only when all pass but those named, with a reason, in expected-failures.json; one of those that
 * passes is a failure too, so that the file stays true.
 *
 *     npm run -s conformance -- client [--revision 2025-11-25] [--scenario NAME] [--verbose]
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];
/** Scenarios at a time: some measure when a client comes back, which a machine that is too busy can not show. */
const AT_A_TIME = 2;
const TIMEOUT_MS = 60_000;

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const suite = path.join(path.dirname(manifest), 'dist/index.js');
const client = `"${process.execPath}" "${path.join(import.meta.dirname, 'client.ts')}"`;

/** By revision, by scenario: why it is not passed. */
const failuresFile = z.partialRecord(z.enum(REVISIONS), z.record(z.string(), z.string().min(1)));
const expectedFailures = failuresFile.parse(
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'expected-failures.json'), 'utf8')),
);

interface Ended {
  code: number | null;
  output: string;
}

function runSuite(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** The client scenarios that a revision requires, as the suite lists them. */
async function required(revision: Revision): Promise<string[]> {
  const { output } = await runSuite('list', '--requirements', revision);
  const listed = output.split(/^Client scenarios.*$/m)[1]?.split(/^\S.*$/m)[0] ?? '';
  const names = [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name ?? '');
  if (names.length === 0) throw new Error(`The suite lists no client scenario for ${revision}:\n${output}`);
  return names;
}

/** Runs one scenario and tells how it went; false when that is not as expected. */
async function check(scenario: string, revision: Revision, verbose: boolean): Promise<boolean> {
  const ended = await runSuite(
    ...['client', '--command', client, '--scenario', scenario, '--spec-version', revision],
    ...['--force', '--timeout', String(TIMEOUT_MS)],
  );
  const reason = expectedFailures[revision]?.[scenario];
  const passed = ended.code === 0;
  const asExpected = passed === (reason === undefined);
  const word = passed ? 'passed' : 'failed';
  const note =
    reason === undefined ? '' : passed ? ', though it is among the expected failures' : `, as expected: ${reason}`;
  console.log(`${asExpected ? 'ok    ' : 'NOT OK'} ${revision} ${scenario} ${word}${note}`);
  if (!asExpected || verbose) console.log(ended.output.replace(/^/gm, '    '));
  return asExpected;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      revision: { type: 'string' },
      scenario: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  if (positionals[0] !== 'client') {
    console.error('Say which half is to be tested: "client" is what there is.');
    return 2;
  }
  const wanted = REVISIONS.filter((revision) => (values.revision ?? revision) === revision);
  const lists = await Promise.all(
    wanted.map(async (revision) => (await required(revision)).map((scenario) => ({ revision, scenario }))),
  );
  const waiting = lists.flat().filter(({ scenario }) => (values.scenario ?? scenario) === scenario);
  const count = waiting.length;
  if (count === 0) {
    console.error('No such scenario is required of a client.');
    return 2;
  }
  let wrong = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!(await check(next.scenario, next.revision, values.verbose))) wrong += 1;
      }
    }),
  );
  console.log(wrong === 0 ? `All ${count} as expected.` : `${wrong} of ${count} are not as expected.`);
  return wrong === 0 ? 0 : 1;
}

process.exitCode = await main();
