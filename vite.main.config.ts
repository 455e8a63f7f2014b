import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

/** Native modules and packages that must stay files on disk; everything else is bundled, so that a start reads few files. */
export const filesOnDisk = ['electron', '@napi-rs/keyring', 'better-sqlite3', 'node-pty', 'pyodide'];

const external = [...filesOnDisk, ...builtinModules, ...builtinModules.map((name) => `node:${name}`)];

export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node22',
    ssr: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: {
        cli: 'src-main/hosts/cli/main.ts',
        'electron/main': 'src-main/hosts/electron/main.ts',
      },
      external,
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        // No hash in the names: a new build replaces the old files instead of lying beside them.
        chunkFileNames: 'chunks/[name].js',
        banner: (chunk) => (chunk.name === 'cli' ? '#!/usr/bin/env node' : ''),
      },
    },
  },
  ssr: { noExternal: true, external },
});
