import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';
import { pyodideSnapshot } from './vite.snapshot.ts';

/** The WebAssembly worker alone: locked in, it may read nothing but its own folder, so it has to be one file that needs no other. */
export default defineConfig({
  plugins: [pyodideSnapshot('dist/python')],
  publicDir: false,
  build: {
    outDir: 'dist/python',
    emptyOutDir: false,
    target: 'node22',
    ssr: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: { 'wasm-worker': 'src-main/tools/python/wasm/worker.ts' },
      external: ['pyodide', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      // Of the modules that others share with it, only what it uses.
      treeshake: { moduleSideEffects: false },
      output: { format: 'es', entryFileNames: '[name].js' },
    },
  },
  ssr: { noExternal: true, external: ['pyodide'] },
});
