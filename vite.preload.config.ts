import { defineConfig } from 'vite';

/** The preload alone: sandboxed pages of Electron take CommonJS in one file. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/electron',
    emptyOutDir: false,
    target: 'chrome130',
    minify: false,
    lib: { entry: 'src-main/hosts/electron/preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    rollupOptions: { external: ['electron'] },
  },
});
