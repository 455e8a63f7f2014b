import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

/** The file worker alone: a sandbox is handed its text, so it has to be one file that needs no other; a thread starts faster, too. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/operator',
    emptyOutDir: false,
    target: 'node22',
    ssr: true,
    minify: false,
    rollupOptions: {
      input: { 'file-worker': 'src-main/operator/worker.ts' },
      external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      // Of the modules that others share with it, only what it uses.
      treeshake: { moduleSideEffects: false },
      output: { format: 'es', entryFileNames: '[name].mjs' },
    },
  },
  ssr: { noExternal: true },
});
