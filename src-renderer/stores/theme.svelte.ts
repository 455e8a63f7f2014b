import type { Settings } from '../../src-shared/index.ts';

type Theme = Settings['appearance']['theme'];

const KEPT = 'causeway.theme';

/** Puts the theme on the page and follows the system where asked to. */
export interface ThemeSwitch {
  choose(theme: Theme): void;
}

/** Starts with the theme of the last visit, so that the window does not flash before the settings are here. */
export function createTheme(): ThemeSwitch {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let chosen: Theme = readTheme(localStorage.getItem(KEPT));

  function apply(): void {
    const theme = chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen;
    document.documentElement.dataset['theme'] = theme;
  }

  dark.addEventListener('change', apply);
  apply();
  return {
    choose(theme) {
      chosen = theme;
      localStorage.setItem(KEPT, theme);
      apply();
    },
  };
}

function readTheme(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
