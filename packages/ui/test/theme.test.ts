import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../src/styles/${name}`, import.meta.url), 'utf8');
const propertiesIn = (css: string): ReadonlyMap<string, string> =>
  new Map([...css.matchAll(/(--cl-[a-z-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));

const theme = propertiesIn(read('theme.css'));
const COLOUR = /#[0-9a-f]{3,8}|rgb\(/;

test('each colour is one for light and one for dark, and an editor decides about all of them', () => {
  const coloured = [...theme].filter(([, value]) => COLOUR.test(value));
  expect(coloured.filter(([, value]) => !value.includes('light-dark(')).map(([name]) => name)).toEqual([]);
  expect([...propertiesIn(read('vscode.css')).keys()]).toEqual(expect.arrayContaining(coloured.map(([name]) => name)));
});
