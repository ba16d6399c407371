import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CLIENT_FRAMES } from '@codelab/protocol';
import { TOOLS } from '@codelab/tools';

interface Source {
  readonly path: string;
  readonly lines: number;
}
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { measureSources, byFolder, quantile } = (await import(join(ROOT, 'scripts/measure-sources.mjs'))) as {
  measureSources: () => Source[];
  byFolder: (files: readonly Source[]) => Map<string, Source[]>;
  quantile: (values: readonly number[]) => number;
};
const LUA = join(ROOT, 'packages/bus/src/redis/lua');
const LARGEST_FILE_LINES = 350;
const LARGEST_MEDIAN_LINES = 60;
const MOST_FILES_IN_A_FOLDER = 25;
/** These concern the connection itself, not the session. */
const OF_THE_CONNECTION = new Set(['auth', 'hello', 'ack']);

const kebab = (name: string): string => name.replaceAll(/[._]/g, '-');
const exists = (path: string): Promise<void> => access(join(ROOT, path));
const scripts = (await readdir(LUA, { recursive: true })).filter((name) => name.endsWith('.lua') && !name.startsWith('includes/'));

test.each(Object.keys(CLIENT_FRAMES).filter((type) => !OF_THE_CONNECTION.has(type)))(
  'the frame %s has a handler of its own',
  async (type) => {
    await exists(`apps/gateway/src/core/handlers/${kebab(type)}.ts`);
  },
);

test.each(TOOLS.map(({ name }) => name))('the tool %s has a definition and an executor', async (name) => {
  await exists(`packages/tools/src/tools/${kebab(name)}.ts`);
  await exists(`packages/workspace/src/executors/${kebab(name)}.ts`);
});

test.each(scripts)('%s says what it guarantees, takes and returns, and never decodes JSON', async (name) => {
  const text = await readFile(join(LUA, name), 'utf8');
  expect(text).toMatch(/^-- \S/);
  expect(text).toMatch(/KEYS/);
  expect(text).toMatch(/-- Returns/);
  expect(text).not.toMatch(/cjson/);
  expect(name).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)+-\d+\.lua$/);
});

const sources = measureSources();

test('no source file is a giant', () => {
  expect(sources.filter(({ lines }) => lines > LARGEST_FILE_LINES)).toEqual([]);
});

test('half of the source files have at most 60 lines', () => {
  expect(quantile(sources.map(({ lines }) => lines))).toBeLessThanOrEqual(LARGEST_MEDIAN_LINES);
});

test('no folder is a drawer', () => {
  const full = [...byFolder(sources)].filter(([, files]) => files.length > MOST_FILES_IN_A_FOLDER);
  expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});
