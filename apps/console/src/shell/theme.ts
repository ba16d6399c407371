import { useState } from 'react';

/** `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'codelab-theme';

/** The colours that were chosen in this browser; nothing else is kept in it. */
export function readTheme(): Theme {
  const kept = readKept();
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is switched off: each visit follows the machine
  }
}

/** Draws the page in a theme, from now on. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

/** The theme, and how to choose another one. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme): void => {
    setTheme(next);
    showTheme(next);
    try {
      if (next === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // storage is switched off: it counts until the page is left
    }
    dispatchEvent(new Event('codelab:theme')); // canvases have to be drawn again
  };
  return [theme, choose];
}
