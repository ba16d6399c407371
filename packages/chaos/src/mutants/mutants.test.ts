import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { findMutants, mutantsOfDay } from './choose-mutants.js';
import type { Mutant } from './mutant.js';
import { MUTANTS } from './mutants.js';
import { plantFault, plantMutant } from './plant.js';
import { runMutants, seedsFor } from './run-mutants.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** An installation as small as can be. */
const installation = async (): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'codelab-planted-'));
  folders.push(root);
  const files = {
    'apps/gateway/dist/main.js': 'start();',
    'apps/agent-runtime/dist/main.js': 'start();',
    'apps/llm-proxy/dist/main.js': 'start();',
    'apps/gateway/dist/service.cjs': 'a = 1;',
    'apps/gateway/dist/lua/calls/settle.lua': 'return 1',
    'apps/agent-runtime/dist/lua/calls/settle.lua': 'return 1',
    'apps/llm-proxy/dist/lua/calls/settle.lua': 'return 1',
    'apps/agent-runtime/dist/service.cjs': 'c = 1;',
    'apps/llm-proxy/dist/service.cjs': 'b = 1;',
    'packages/client/package.json': '{"type":"module"}',
    'packages/client/dist/run.js': 'console.log("as it is");',
    'packages/client/dist/index.js': "import './run.js';",
    'node_modules/x/index.js': '',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
};

const mutant = (parts: Partial<Mutant>): Mutant => ({
  name: 'm',
  place: 'gateway',
  promise: 'R1',
  fault: 'f',
  find: 'a = 1',
  replace: 'a = 2',
  ...parts,
});

test('at least thirty faults, each with a name of its own, in every place', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(new Set(MUTANTS.map(({ place }) => place))).toEqual(new Set(['store', 'gateway', 'runtime', 'proxy', 'client']));
});

test('each fault is given as many seeds as it may need', () => {
  for (const one of MUTANTS) expect([...seedsFor(one, 1)].length, one.name).toBeGreaterThanOrEqual(20);
});

test('seeds that have shown a fault come first, unless others are asked for, and can still show it', () => {
  for (const one of MUTANTS) {
    const known = one.shownBy?.seeds ?? [];
    expect([...seedsFor(one)].slice(0, known.length), one.name).toEqual(known);
    expect([...seedsFor(one, 1)], one.name).toEqual(expect.arrayContaining([...known]));
  }
});

test('what is to be replaced stands there once, or nothing is planted', () => {
  expect(plantFault('let a = 1;', mutant({}), 'x')).toBe('let a = 2;');
  expect(() => plantFault('a = 1; a = 1;', mutant({}), 'main.js')).toThrow('The mutant m replaces a text that stands 2 times in main.js');
  expect(() => plantFault('', mutant({}), 'main.js')).toThrow('stands 0 times');
});

test('a fault of a service is in a copy; all the rest are links to what is there', async () => {
  const root = await installation();
  const folder = join(root, 'copy');
  const planted = await plantMutant(mutant({}), root, folder);
  expect(planted).toEqual({ root: folder, clientExecArgv: [] });
  expect(await readFile(join(folder, 'apps/gateway/dist/service.cjs'), 'utf8')).toBe('a = 2;');
  expect(await readFile(join(root, 'apps/gateway/dist/service.cjs'), 'utf8')).toBe('a = 1;');
  expect((await lstat(join(folder, 'apps/gateway/dist/lua'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, 'apps/llm-proxy/dist/service.cjs'), 'utf8')).toBe('b = 1;');
  expect((await lstat(join(folder, 'apps/gateway/dist/main.js'))).isSymbolicLink()).toBe(false); // it reads what is beside it
});

test('a fault of a script is in all three services', async () => {
  const root = await installation();
  const folder = join(root, 'copy');
  await plantMutant(mutant({ place: 'store', file: 'calls/settle.lua', find: 'return 1', replace: 'return 2' }), root, folder);
  for (const app of ['gateway', 'agent-runtime', 'llm-proxy']) {
    expect(await readFile(join(folder, 'apps', app, 'dist/lua/calls/settle.lua'), 'utf8')).toBe('return 2');
    expect((await lstat(join(folder, 'apps', app, 'dist/main.js'))).isSymbolicLink()).toBe(false); // it reads what is beside it
  }
});

test('a fault of the client is in the module that Node loads', async () => {
  const root = await installation();
  const fault = mutant({ place: 'client', file: 'client/dist/run.js', find: 'as it is', replace: 'as it should not be' });
  const { root: same, clientExecArgv } = await plantMutant(fault, root, join(root, 'hooks'));
  expect(same).toBe(root);
  const said = execFileSync(process.execPath, [...clientExecArgv, join(root, 'packages/client/dist/index.js')], { encoding: 'utf8' });
  expect(said).toBe('as it should not be\n');
});

test('every mutant has its day', () => {
  const seen = new Set<string>();
  for (let day = 0; day < Math.ceil(MUTANTS.length / 4); day += 1)
    for (const { name } of mutantsOfDay(MUTANTS, 4, day * 86_400_000)) seen.add(name);
  expect(seen.size).toBe(MUTANTS.length);
  expect(findMutants(MUTANTS, 'fence-not-raised')).toHaveLength(1);
  expect(() => findMutants(MUTANTS, 'nonsense')).toThrow('No planted fault is called nonsense');
});

test('seeds run until one breaks a promise that the product keeps in it; a fault that none catches is told as such', async () => {
  const root = await installation();
  const violation = { promise: 'R1', text: 'two at once', at: 1, events: [] };
  const run = (broken: { readonly mutant: number[]; readonly product: number[] }, minutes?: number) =>
    runMutants({
      ...{ mutants: [mutant({})], root, seeds: 5, firstSeed: 10, minutes },
      openLane: async (planted) => ({
        run: async (seed) => ({ violations: broken[planted.root === root ? 'product' : 'mutant'].includes(seed) ? [violation] : [] }),
        close: async () => undefined,
      }),
    });
  const caught = { seed: 12, after: 3, promise: 'R1', text: 'two at once' };
  expect(await run({ mutant: [10, 12], product: [10] })).toMatchObject([{ name: 'm', caught }]);
  expect(await run({ mutant: [99], product: [] })).toMatchObject([{ caught: undefined, isCutShort: false }]);
  expect(await run({ mutant: [10], product: [] }, 0)).toMatchObject([{ caught: undefined, isCutShort: true }]);
});
