import { expect, test } from 'vitest';
import { paintLine } from './paint-line.js';
import { span } from './span.js';
import { THEME_CHOICES, THEMES, themeOf } from './themes.js';

const line = [span('bad', 'bad'), span(' aside', 'muted')];

test.each([
  ['dark', '\x1b[31mbad\x1b[0m\x1b[2m aside\x1b[0m'],
  ['light', '\x1b[38;5;124mbad\x1b[0m\x1b[38;5;241m aside\x1b[0m'],
  ['high-contrast', '\x1b[1;91mbad\x1b[0m aside'],
  ['none', 'bad aside'],
] as const)('%s', (choice, painted) => {
  expect(paintLine(line, themeOf(choice))).toBe(painted);
});

test.each([
  ['0;15', 'light'],
  ['0;default;7', 'light'],
  ['15;0', 'dark'],
  ['12;8', 'dark'],
  ['', 'dark'],
] as const)('auto on COLORFGBG %j is %s', (told, theme) => {
  expect(themeOf('auto', told)).toBe(THEMES[theme]);
});

test('every theme can be chosen', () => {
  expect(THEME_CHOICES).toEqual(['auto', 'dark', 'light', 'high-contrast', 'none']);
});
