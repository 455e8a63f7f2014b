import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { lucideIcons } from './vite.icons.ts';

/** The renderer: one bundle for every host. Relative base, because Electron serves it from its own protocol. */
export default defineConfig({
  root: 'src-renderer',
  base: './',
  plugins: [lucideIcons(), svelte({ configFile: false })],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // Small files stay files: the page's policy allows no fonts or scripts from data URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { index: 'src-renderer/index.html', frame: 'src-renderer/apps/frame.ts' },
      // The page that frames views is served elsewhere, and finds its script by name.
      output: { entryFileNames: ({ name }) => (name === 'frame' ? 'view/[name].js' : 'assets/[name]-[hash].js') },
    },
  },
});
