import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CITATION = /verifies\(\s*['"`]([^'"`]+)['"`]/g;
const PROMISE = /\*\*([GRHWLS]\d)\*\*/g;

const cited = new Set<string>();

/** Never entered: in `node_modules` lie links to every other package. */
const NOT_ENTERED = new Set(['node_modules', 'dist', '.turbo']);

const testFiles = async (folder: string): Promise<string[]> => {
  const found = (await readdir(folder, { withFileTypes: true })).map(async (entry): Promise<string[]> => {
    if (entry.isDirectory()) return NOT_ENTERED.has(entry.name) ? [] : testFiles(join(folder, entry.name));
    return entry.name.endsWith('.test.ts') ? [join(folder, entry.name)] : [];
  });
  return (await Promise.all(found)).flat();
};

beforeAll(async () => {
  for (const file of (await Promise.all(['packages', 'apps', 'tests', 'bench'].map((name) => testFiles(join(ROOT, name))))).flat()) {
    for (const [, id = ''] of (await readFile(file, 'utf8')).matchAll(CITATION)) cited.add(id);
  }
});

test('every requirement is cited by a test', () => {
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([]);
});

test('every citation names a requirement', () => {
  expect([...cited].filter((id) => !Object.hasOwn(REQUIREMENTS, id)).sort()).toEqual([]);
});

test('every promise of the architecture has a requirement, and no requirement names another promise', async () => {
  const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
  const promises = new Set([...page.matchAll(PROMISE)].map(([, name = '']) => name));
  expect(new Set(Object.keys(REQUIREMENTS).map((id) => id.split(':')[0]))).toEqual(promises);
});

test('every defence that the security page names is a requirement', async () => {
  const page = await readFile(join(ROOT, 'docs/security.md'), 'utf8');
  const named = [...page.matchAll(/`([GRHWLS]\d:[^`]+)`/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
});
