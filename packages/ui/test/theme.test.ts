import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../src/styles/${name}`, import.meta.url), 'utf8');
const propertiesIn = (css: string): readonly string[] =>
  [...css.matchAll(/(--cl-[a-z-]+):\s*([^;]+);/g)].map(([, name, value]) => `${name}: ${value}`);
const namesIn = (css: string): readonly string[] => propertiesIn(css).map((line) => line.split(':', 1)[0]!);

const theme = read('theme.css');
const [light = '', dark = '', bySystem = ''] = theme.split(/:root\[data-theme='dark'\] \{|@media/);

test('dark by choice and dark by the system are the same', () => expect(propertiesIn(bySystem)).toEqual(propertiesIn(dark)));

test('what is dark is light, too, and an editor decides about every colour', () => {
  expect(namesIn(light)).toEqual(expect.arrayContaining([...namesIn(dark)]));
  expect(namesIn(read('vscode.css'))).toEqual(expect.arrayContaining([...namesIn(dark)]));
});
