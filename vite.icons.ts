import { fileURLToPath } from 'node:url';
import { icons } from '@iconify-json/lucide';
import type { Plugin } from 'vite';

const prefix = 'virtual:icons/';
const suffix = '.svelte';
const frame = fileURLToPath(new URL('src-renderer/ui/Icon.svelte', import.meta.url)).replaceAll('\\', '/');

/** Iconify writes these on every shape; the frame has them once, on the svg, where a caller can set others. */
const look = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';

/**
 * The source of the Svelte component for one Lucide icon, by Lucide's own name (no aliases).
 * @throws Error when Lucide has no icon of that name: it ends the build and names the import.
 */
export function iconSource(name: string): string {
  const icon = icons.icons[name];
  if (!icon) throw new Error(`Lucide has no icon named "${name}". Look for its name on lucide.dev.`);
  const shapes = icon.body.replace(look, '').replace(/^<g>(.*)<\/g>$/, '$1');
  return `<script>
  import Icon from ${JSON.stringify(frame)};
  let props = $props();
</script>
<Icon {...props}>${shapes}</Icon>
`;
}

/** Makes `virtual:icons/<name>` a Svelte component, so that only the icons in use are bundled. */
export function lucideIcons(): Plugin {
  return {
    name: 'lucide-icons',
    enforce: 'pre',
    // By its ending Svelte's plugin knows that it has to compile the source.
    resolveId: (id) => (id.startsWith(prefix) ? (id.endsWith(suffix) ? id : id + suffix) : undefined),
    load: (id) => (id.startsWith(prefix) ? iconSource(id.slice(prefix.length, -suffix.length)) : undefined),
  };
}
