import type { Style } from './span.js';

/** What a style's colour and dimness are to a terminal: parameters of SGR; '' adds nothing. */
export type Theme = Readonly<Record<NonNullable<Style['colour']> | 'dim', string>>;

/**
 * The looks that can be chosen. `dark` takes the terminal's own palette; `light` has colours that can be read on white, where yellow, cyan
 * and dim text can't; `high-contrast` has bright colours and nothing dim.
 */
export const THEMES = {
  dark: { red: '31', green: '32', yellow: '33', blue: '34', magenta: '35', cyan: '36', dim: '2' },
  light: {
    red: '38;5;124',
    green: '38;5;28',
    yellow: '38;5;94',
    blue: '38;5;25',
    magenta: '38;5;127',
    cyan: '38;5;24',
    dim: '38;5;241',
  },
  'high-contrast': { red: '1;91', green: '1;92', yellow: '1;93', blue: '1;94', magenta: '1;95', cyan: '1;96', dim: '' },
} as const satisfies Readonly<Record<string, Theme>>;

/** `none`: no colours and no other styles. `auto`: by what the terminal tells of itself. */
export const THEME_CHOICES = ['auto', ...(Object.keys(THEMES) as (keyof typeof THEMES)[]), 'none'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Colours of the palette, by number, on which dark text stands. */
const LIGHT_BACKGROUNDS: ReadonlySet<string> = new Set(['7', '9', '10', '11', '13', '14', '15']);

/**
 * The theme that was chosen; undefined without colours.
 *
 * @param colourFgBg what some terminals put into COLORFGBG: `0;15` is black on white
 */
export function themeOf(choice: ThemeChoice, colourFgBg = ''): Theme | undefined {
  if (choice === 'none') return undefined;
  if (choice !== 'auto') return THEMES[choice];
  return LIGHT_BACKGROUNDS.has(colourFgBg.split(';').at(-1) ?? '') ? THEMES.light : THEMES.dark;
}
