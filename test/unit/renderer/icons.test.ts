import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';
import Square from 'virtual:icons/square';
import Settings from 'virtual:icons/settings';
import { iconSource } from '../../../vite.icons.ts';

/** What Svelte's server renderer writes, without the comments that mark its blocks. */
const drawn = (icon: typeof Square, props: Parameters<typeof Square>[1] = {}): string =>
  render(icon, { props }).body.replace(/<!--.*?-->/g, '');

describe('an icon', () => {
  it('is drawn on a grid of 24, with lines of 2 in the colour of the text around it', () => {
    expect(drawn(Square)).toBe(
      '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-linecap="round"' +
        ' stroke-linejoin="round" stroke-width="2" aria-hidden="true">' +
        '<rect width="18" height="18" x="3" y="3" rx="2"></rect></svg>',
    );
  });

  it('has the size in pixels that is asked for', () => {
    expect(drawn(Square, { size: 14 })).toContain('<svg width="14" height="14" viewBox="0 0 24 24"');
  });

  it('takes another fill and line width for all of its shapes', () => {
    const svg = drawn(Settings, { fill: 'currentColor', 'stroke-width': 1.8 });
    expect(svg).toContain('fill="currentColor"');
    expect(svg).toContain('stroke-width="1.8"');
    expect(svg.match(/fill=|stroke-width=/g)).toHaveLength(2);
  });

  it('is passed over by screen readers', () => {
    expect(drawn(Settings)).toContain('aria-hidden="true"');
  });

  it('that Lucide does not have ends the build with its name', () => {
    expect(() => iconSource('no-such-icon')).toThrow('Lucide has no icon named "no-such-icon".');
  });
});
