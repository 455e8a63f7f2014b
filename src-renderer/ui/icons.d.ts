/** One Lucide icon, made by `vite.icons.ts`: drawn for the eye alone, so what it means has to stand beside it. */
declare module 'virtual:icons/*' {
  import type { Component } from 'svelte';
  import type { SVGAttributes } from 'svelte/elements';

  /** `size` is in pixels, 24 when not given; every attribute of an svg can be set. */
  const icon: Component<SVGAttributes<SVGSVGElement> & { size?: number }>;
  export default icon;
}
