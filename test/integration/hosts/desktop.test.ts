import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, type CommandLine } from '../../fixtures/cli.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** The command line where a shell script stands in for Electron's program: it shows how it is started, and no window. */
function withStandIn(script: string): CommandLine {
  const dist = temporaryFolder('causeway-stand-in-');
  const program = path.join(dist, 'electron');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return commandLine({ DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: dist });
}

describe.skipIf(process.platform !== 'linux')(
  'causeway without a command, on a display (stand-in is a Linux script)',
  () => {
    it('starts Electron on the built main process, with the workspace, and ends with it', async () => {
      const line = withStandIn('echo "$1 $CAUSEWAY_WORKSPACE"');
      const { code, stdout, stderr } = await line.run();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.trim()).toMatch(new RegExp(`/dist/electron/main\\.js ${line.workspace}$`));
    });

    it('serves the browser when Electron does not come up, and says why', async () => {
      const { child, finished } = withStandIn('exit 7').start('--no-open');
      const [link] = await once(child.stdout, 'data');
      expect(String(link)).toMatch(/^http:\/\/127\.0\.0\.1:/);
      child.kill('SIGTERM');
      expect(await finished).toMatchObject({ code: 0, stderr: expect.stringContaining('Electron ended with 7') });
    });

    it('ends Electron when it is told to end itself', async () => {
      const { child, finished } = withStandIn('echo up; exec sleep 600').start();
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      expect((await finished).code).toBe(0);
    });
  },
);
