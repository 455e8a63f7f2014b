import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openShellBench, textOf } from '../../fixtures/shell.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const name = fc.constantFrom('a', 'b', 'c');
const line = fc
  .string({ unit: 'binary', maxLength: 20 })
  // The terminal carries out control characters, and plain bash knows no surrogate halves.
  .map((text) => text.replace(/[\p{C}\p{M}\p{Zl}\p{Zp}']/gu, ''));

/** Never out of the test's own folder. */
const UP = 'case $PWD in */causeway-test-*/*) cd ..;; esac';

/** Commands whose effect on output, code, directory and variables bash defines. */
const command = fc.oneof(
  fc.tuple(name, word).map(([variable, value]) => `${variable}=${value}`),
  fc.tuple(name, word).map(([variable, value]) => `export ${variable}=${value}; sh -c 'echo "$${variable}"'`),
  name.map((variable) => `echo "[$${variable}]"`),
  line.map((text) => `printf '%s\\n' '${text}'`),
  line.map((text) => `cat <<'END OF IT'\n${text}\nEND OF IT`),
  fc.tuple(name, word).map(([fn, text]) => `${fn}f() { echo ${text} "$@"; return ${text.length}; }`),
  name.map((fn) => `${fn}f x y 2>/dev/null`),
  word.map((folder) => `mkdir -p ${folder} && cd ${folder}`),
  fc.constantFrom(UP, 'cd - >/dev/null 2>&1', 'pwd', 'echo $?', 'false', 'true', ':', '', '# nothing', '! true'),
  fc.integer({ min: 0, max: 255 }).map((code) => `(exit ${code})`),
  fc.integer({ min: 1, max: 400 }).map((count) => `seq 1 ${count}`),
  fc.constantFrom(
    'echo a | cat',
    'for i in 1 2; do\n echo $i\ndone',
    '(sleep 0 & wait)',
    'set -- p q; echo $#',
    'echo "$1"',
  ),
  fc.constantFrom(
    'if false; then echo x; else echo y; fi',
    'case $a in *) echo $((1 + 2));; esac',
    'unset a',
    'echo ~+',
  ),
);

test('random command sequences give the output, exit codes and directories that plain bash gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
      const { call, workspace, tool } = await openShellBench();
      const ours: unknown[] = [];
      for (const each of commands) {
        const result = await call({ command: each });
        const { exitCode, cwd } = result.structuredContent ?? {};
        ours.push({
          output: textOf(result).replaceAll(workspace, '~'),
          exitCode,
          cwd: String(cwd).replace(workspace, '~'),
        });
      }
      await tool[Symbol.asyncDispose]();
      expect(ours).toEqual(plainBash(commands));
    }),
    { numRuns: 25 },
  );
});

/** The same through one bash without a terminal. Each command's status is given to the next one's `$?`. */
function plainBash(commands: string[]): unknown[] {
  const folder = temporaryFolder();
  const end = '\u0001end\u0001';
  const script = commands
    .map((each) => `(exit $status)\n${each}\nstatus=$?; printf '${end}%s${end}%s${end}' "$status" "$PWD"`)
    .join('\n');
  const { stdout } = spawnSync('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    input: `status=0\n${script}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' },
  });
  const fields = stdout.split(end);
  return commands.map((_, index) => ({
    output: (fields[index * 3] ?? '').replace(/\n$/, '').replaceAll(folder, '~'),
    exitCode: Number(fields[index * 3 + 1]),
    cwd: (fields[index * 3 + 2] ?? '').replace(folder, '~'),
  }));
}
