import { describe, expect, it } from 'vitest';
import { explainFailure, missingFeatures, parseVersion } from '../../../src-main/sandbox/bubblewrap/features.ts';

describe('what bubblewrap offers', () => {
  it('is read from its help', () => {
    const help =
      '  --args FD\n --info-fd FD --disable-userns --size BYTES --ro-bind-data FD DEST --seccomp FD --clearenv';
    expect(missingFeatures(help)).toEqual([]);
    expect(missingFeatures(help.replace('--size', '--seize'))).toEqual(['--size']);
  });

  it('has a version', () => {
    expect(parseVersion('bubblewrap 0.11.0\n')).toBe('0.11.0');
    expect(parseVersion('?')).toBe('unknown');
  });
});

describe('why bubblewrap could not make a sandbox', () => {
  it('is told with the fix for refused user namespaces', () => {
    const said = explainFailure('bwrap: setting up uid map: Permission denied\n');
    expect(said.reason).toContain('setting up uid map: Permission denied');
    expect(said.fix).toContain('AppArmor');
  });

  it('is told as it was said when it is something else', () => {
    expect(explainFailure('bwrap: strange\n').reason).toContain('strange');
    expect(explainFailure('').reason).toBe('bubblewrap is installed but could not make a sandbox.');
  });
});
