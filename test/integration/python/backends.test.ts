import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { buildWasmWorker, picturesOf, python, runPython, textOf } from '../../fixtures/python.ts';
import { programFiles } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const hasPandas = spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status === 0;
const hasPillow = spawnSync('/usr/bin/python3', ['-c', 'import PIL']).status === 0;
const hasMatplotlib = spawnSync('/usr/bin/python3', ['-c', 'import matplotlib']).status === 0;
/** A Node without a permission model for the network, if this machine has one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return /^v(18|20|22|24)\./.test(stdout ?? '');
});

/** A folder for PATH that holds links to these programs only. */
function pathWith(...programs: string[]): string {
  const folder = temporaryFolder();
  for (const program of programs) symlinkSync(program, path.join(folder, path.basename(program)));
  return folder;
}

describe('where Python runs', () => {
  it.skipIf(!hasBubblewrap)('is CPython in bubblewrap, where there is one (needs bubblewrap)', async () => {
    const tool = python({ backend: 'auto' });
    const said = await tool.describe();
    expect(said).toMatchObject({ backend: 'bubblewrap' });
    expect(said.interpreter).toMatch(/^\/.*python/);
    expect(tool.description).toContain('The workspace is the current folder');
    expect(tool.description).not.toContain('Pyodide');
  });

  it.skipIf(!hasBubblewrap)('runs also when python3 is a link in a folder of its own (needs bubblewrap)', async () => {
    const bwrap = execFileSync('which', ['bwrap'], { encoding: 'utf8' }).trim();
    const tool = python({ backend: 'bubblewrap', searchPath: pathWith(bwrap, '/usr/bin/python3') });
    expect(textOf(await runPython(tool, { code: 'print(6 * 7)', workspace: temporaryFolder() }))).toBe('42');
  });

  it('is Pyodide where there is no bubblewrap, and the model is told that it sees no files', async () => {
    const wasmWorkerPath = await buildWasmWorker(temporaryFolder());
    const tool = python({ backend: 'auto', searchPath: temporaryFolder(), wasmWorkerPath });
    const said = await tool.describe();
    expect(said).toMatchObject({ backend: 'wasm', interpreter: null });
    expect(said.reason).toContain('bubblewrap is not installed');
    expect(tool.description).toContain('NO files of the workspace');
    const workspace = temporaryFolder();
    const code = 'open("made.txt", "w").write("only in memory")\nimport os\nos.listdir()';
    expect(textOf(await runPython(tool, { code, workspace }))).toBe("['made.txt']");
  });

  it('is nowhere without both: the call fails, and says what to install', async () => {
    const tool = python({ backend: 'auto', searchPath: temporaryFolder() });
    const result = await runPython(tool, { code: 'print("never runs")', workspace: temporaryFolder() });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('nothing can keep it in a sandbox');
    expect(textOf(result)).toContain('apt install bubblewrap');
    expect(textOf(result)).not.toContain('never runs');
    expect((await tool.describe()).backend).toBe('none');
  });

  it('is nowhere when bubblewrap is too old and nothing else is allowed', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'bwrap'), '#!/bin/sh\necho "bubblewrap 0.4.1 --args --seccomp"\n');
    chmodSync(path.join(folder, 'bwrap'), 0o755);
    const said = await python({ backend: 'bubblewrap', searchPath: folder }).describe();
    expect(said.reason).toMatch(/bubblewrap 0\.4\.1 does not know .*--disable-userns.*0\.8 or newer/);
  });

  it('is nowhere when bubblewrap is there but may not make a sandbox, and the fix is named', async () => {
    const folder = temporaryFolder();
    const help = '--args --info-fd --disable-userns --size --ro-bind-data --seccomp --clearenv bubblewrap 0.9.0';
    const script = `#!/bin/sh\ncase $2 in --*|"") echo "${help}";; *) echo "bwrap: setting up uid map: Permission denied" >&2; exit 1;; esac\n`;
    writeFileSync(path.join(folder, 'bwrap'), script);
    chmodSync(path.join(folder, 'bwrap'), 0o755);
    const said = await python({ backend: 'bubblewrap', searchPath: folder }).describe();
    expect(said.reason).toContain('setting up uid map: Permission denied');
    expect(said.reason).toContain('AppArmor');
  });

  it('is Pyodide in the program as it is built, which may read its own folder and no other', async () => {
    const tool = python({ backend: 'wasm', wasmWorkerPath: programFiles.wasmWorker });
    expect(await tool.describe()).toMatchObject({ backend: 'wasm' });
    expect(textOf(await runPython(tool, { code: '6 * 7', workspace: temporaryFolder() }))).toBe('42');
  });

  it.skipIf(!oldNode)('is nowhere when Node cannot lock Pyodide down (needs an older Node beside)', async () => {
    const wasmWorkerPath = await buildWasmWorker(temporaryFolder());
    const said = await python({ backend: 'wasm', wasmWorkerPath, nodePath: oldNode ?? '' }).describe();
    expect(said.backend).toBe('none');
    expect(said.reason).not.toBe('');
  });
});

describe.skipIf(!hasBubblewrap)('a workspace that holds the person’s home folder (needs bubblewrap)', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is refused, with the way out; a folder below it is not', async () => {
    const above = temporaryFolder();
    const home = path.join(above, 'me');
    const project = path.join(home, 'project');
    mkdirSync(project, { recursive: true });
    vi.stubEnv('HOME', home);
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' });
    for (const workspace of [above, home]) {
      await expect(runPython(tool, { code: '1', workspace })).rejects.toThrow(
        /home folder .* work in a folder below it/,
      );
    }
    expect(textOf(await runPython(tool, { code: '6 * 7', workspace: project }))).toBe('42');
  });
});

describe.skipIf(!hasBubblewrap)('the interpreter (needs bubblewrap)', () => {
  const bwrap = hasBubblewrap ? execFileSync('which', ['bwrap'], { encoding: 'utf8' }).trim() : '';

  it('is the one that the settings name', async () => {
    const said = await python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' }).describe();
    expect(said.interpreter).toBe(realpathSync('/usr/bin/python3'));
  });

  it('named in the settings but unusable is said, not replaced', async () => {
    const said = await python({ backend: 'bubblewrap', interpreter: '/bin/true' }).describe();
    expect(said).toMatchObject({ backend: 'none' });
    expect(said.reason).toContain('/bin/true is not a Python');
  });

  it('is the program behind a shim, not the shim', async () => {
    const folder = pathWith(bwrap);
    writeFileSync(path.join(folder, 'python3'), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n');
    chmodSync(path.join(folder, 'python3'), 0o755);
    const said = await python({ backend: 'bubblewrap', interpreter: path.join(folder, 'python3') }).describe();
    expect(said.interpreter).toBe(realpathSync('/usr/bin/python3'));
  });

  it('is never run outside of a sandbox, not even to look at it', async () => {
    const folder = pathWith(bwrap);
    const trace = path.join(folder, 'was-here');
    writeFileSync(path.join(folder, 'python3'), `#!/bin/sh\ntouch ${trace}\nexec /usr/bin/python3 "$@"\n`);
    chmodSync(path.join(folder, 'python3'), 0o755);
    await python({ backend: 'bubblewrap', searchPath: folder }).describe();
    expect(spawnSync('ls', [trace]).status).not.toBe(0);
  });

  it('may be a virtual environment in the workspace, which code cannot change', async () => {
    const workspace = temporaryFolder();
    const environment = path.join(workspace, '.venv');
    mkdirSync(environment);
    execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', environment]);
    const interpreter = path.join(environment, 'bin', 'python3');
    const tool = python({ backend: 'bubblewrap', interpreter });
    const code = 'import sys\nprint(sys.prefix)\nopen(".venv/pyvenv.cfg", "a")';
    const said = textOf(await runPython(tool, { code, workspace }));
    expect(said).toContain(environment);
    expect(said).toContain('Read-only file system');
  });
});

describe.skipIf(!hasBubblewrap || !hasPillow)('images of PIL (needs bubblewrap and python3-pil)', () => {
  it('come back as PNG, as the last value and by display, each once', async () => {
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' });
    const code = `
from PIL import Image
first = Image.new("RGB", (4, 3), (255, 0, 0))
display(first)
first
Image.new("RGBA", (6, 5), (0, 255, 0, 128))`;
    const result = await runPython(tool, { code, workspace: temporaryFolder() });
    const pictures = picturesOf(result).map((bytes) => PNG.sync.read(bytes));
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [4, 3],
      [6, 5],
    ]);
    expect([...(pictures[0]?.data.subarray(0, 4) ?? [])]).toEqual([255, 0, 0, 255]);
    expect([...(pictures[1]?.data.subarray(0, 4) ?? [])]).toEqual([0, 255, 0, 128]);
  });
});

describe.skipIf(!hasBubblewrap || !hasMatplotlib)('figures (needs bubblewrap and python3-matplotlib)', () => {
  it('that are open come back as PNG; show() starts a new one', async () => {
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' });
    const code =
      'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.figure(figsize=(2, 1))\nplt.plot([2, 1])\nprint("drawn")';
    const result = await runPython(tool, { code, workspace: temporaryFolder(), timeout: 60 });
    expect(textOf(result)).toBe('drawn');
    const sizes = picturesOf(result).map((png) => png.readUInt32BE(16));
    expect(sizes).toHaveLength(2);
    expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0);
  });

  it('are drawn by a list of fonts that no workspace had a say in', async () => {
    const [home, workspace] = [temporaryFolder(), temporaryFolder()];
    const poison =
      'import os, sys\nsys.stdout.write(\'fontlist-v330.json\\n{"poison": 1}\')\nsys.stdout.flush()\nos._exit(0)\n';
    writeFileSync(path.join(workspace, 'glob.py'), poison);
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3', home });
    await runPython(tool, { code: '"matplotlib"', workspace, timeout: 60 });
    const run = path.join(home, 'run');
    const [list = ''] = readdirSync(run).filter((name) => /^python-font-list-.*\.json$/.test(name));
    expect(readFileSync(path.join(run, list), 'utf8')).not.toContain('poison');
  });

  it('given as the last value or to display come back once', async () => {
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' });
    const code = 'import matplotlib.pyplot as plt\nfigure, _ = plt.subplots()\ndisplay(figure)\nfigure';
    const result = await runPython(tool, { code, workspace: temporaryFolder(), timeout: 60 });
    expect(picturesOf(result)).toHaveLength(1);
  });
});

describe.skipIf(!hasBubblewrap || !hasPandas)('tables (needs bubblewrap and python3-pandas)', () => {
  const make = `import pandas as pd
frame = pd.DataFrame({'port': ['Brest', None, '=1+1'], 'height': [1.5, float('nan'), 3]})
`;
  async function tables(code: string): Promise<{ said: string; tables: unknown }> {
    const tool = python({ backend: 'bubblewrap', interpreter: '/usr/bin/python3' });
    const result = await runPython(tool, { code: make + code, workspace: temporaryFolder(), timeout: 60 });
    return { said: textOf(result), tables: result.structuredContent?.['tables'] };
  }

  it('that are shown, and one that is the last value, come as text and as rows; missing values as such', async () => {
    const { said, tables: found } = await tables('display(frame.height)\nframe');
    expect(said).toContain('2    3.0');
    expect(said).toContain('0  Brest     1.5');
    expect(found).toEqual([
      {
        columns: ['', 'height'],
        rows: [
          ['0', '1.5'],
          ['1', null],
          ['2', '3.0'],
        ],
        totalRows: 3,
        totalColumns: 2,
      },
      {
        columns: ['', 'port', 'height'],
        rows: [
          ['0', 'Brest', '1.5'],
          ['1', null, null],
          ['2', '=1+1', '3.0'],
        ],
        totalRows: 3,
        totalColumns: 3,
      },
    ]);
  });

  it('that are large come in part, with how large they are; indexes of several levels are columns', async () => {
    const { tables: large } = await tables('pd.DataFrame([[7] * 60] * 5000)');
    expect(large).toMatchObject([
      { totalRows: 5000, totalColumns: 61, columns: { length: 41 }, rows: { length: 200 } },
    ]);
    const { tables: deep } = await tables(
      "pd.DataFrame({'n': [1]}, index=pd.MultiIndex.from_tuples([('a', 'b')], names=['x', 'y']))",
    );
    expect(deep).toEqual([{ columns: ['x', 'y', 'n'], rows: [['a', 'b', '1']], totalRows: 1, totalColumns: 3 }]);
  });

  it('without rows or columns, or of a class that pretends to be one, do no harm', async () => {
    expect((await tables('pd.DataFrame()')).tables).toEqual([
      { columns: [''], rows: [], totalRows: 0, totalColumns: 1 },
    ]);
    const { said, tables: none } = await tables("class DataFrame: pass\nDataFrame.__module__ = 'pandas'\nDataFrame()");
    expect(said).toContain('pandas.DataFrame object');
    expect(none).toBeUndefined();
  });
});
