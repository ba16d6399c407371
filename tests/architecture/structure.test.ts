import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { CLIENT_FRAMES } from '@codelab/protocol';
import { TOOLS } from '@codelab/tools';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LUA = join(ROOT, 'packages/bus/src/redis/lua');
const LARGEST_FILE_LINES = 400;
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

const sourceFiles = async (): Promise<string[]> => {
  const folders = (
    await Promise.all(['packages', 'apps'].map(async (top) => (await readdir(join(ROOT, top))).map((name) => join(ROOT, top, name, 'src'))))
  ).flat();
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder, { recursive: true })).map((name) => join(folder, name))),
  );
  return files.flat().filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
};

test('no source file is a giant', async () => {
  const lines = await Promise.all(
    (await sourceFiles()).map(async (name) => [name.slice(ROOT.length), (await readFile(name, 'utf8')).split('\n').length] as const),
  );
  expect(lines.filter(([, count]) => count > LARGEST_FILE_LINES)).toEqual([]);
});
