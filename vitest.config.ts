import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { lucideIcons } from './vite.icons.ts';

export default defineConfig({
  plugins: [lucideIcons(), svelte({ configFile: false })],
  test: {
    // Temporary data folders must leave nothing in the keychain of whoever runs this.
    env: { CAUSEWAY_KEYCHAIN: 'off' },
    reporters: ['default', './test/reporters/summary.ts'],
    // Most tests wait for other processes: two files at a time use a machine of two cores better than one.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20_000 } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
