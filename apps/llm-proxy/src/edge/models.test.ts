import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODELS_FILE, readConfig } from '@codelab/service-shell';
import { verifies } from '@codelab/testkit';
import { ProxyConfig } from './config.js';
import { openModels } from './models.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-models-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(environment: Readonly<Record<string, string>>) {
  const models = await openModels(readConfig(ProxyConfig, { CODELAB_DATA_DIR: folder, ...environment }), (name) => environment[name]);
  await models.close();
  return models;
}

test('the environment alone is enough, and nothing at all too', async () => {
  const none = await open({});
  expect([none.upstreams, none.catalog.defaultModel]).toEqual([[], 'offline']);
  const both = await open({ OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:2' });
  expect([both.upstreams, both.catalog.defaultModel]).toEqual([['openai', 'anthropic'], 'gpt-5.4']);
});

test('the file is the one of the variable, else that of the data directory', async () => {
  await writeFile(
    join(folder, MODELS_FILE),
    'upstreams: {ollama: {type: openai, base_url: "http://127.0.0.1:1/v1"}}\nmodels: {local: {upstream: ollama}}',
  );
  expect(await open({})).toMatchObject({ upstreams: ['ollama'], catalog: { defaultModel: 'local' } });
  const named = join(folder, 'named.yaml');
  await writeFile(named, 'keys: {"*": {models: [x]}}');
  expect(await open({ CODELAB_MODELS_FILE: named })).toMatchObject({ upstreams: [], file: { keys: { '*': { models: ['x'] } } } });
  await rm(join(folder, MODELS_FILE));
});

test(
  verifies('L1:working-folder', 'a models file is that of the configuration directory, too, and never one that only lies where we are'),
  async () => {
    const [config, here] = [join(folder, 'config'), join(folder, 'here')];
    for (const path of [join(config, 'codelab'), here]) await mkdir(path, { recursive: true });
    const text = (name: string) => `upstreams: {${name}: {type: openai, base_url: "http://127.0.0.1:1/v1"}}`;
    await writeFile(join(here, MODELS_FILE), text('hostile'));
    const before = process.cwd();
    process.chdir(here);
    try {
      expect((await open({ XDG_CONFIG_HOME: config })).upstreams).toEqual([]);
      await writeFile(join(config, 'codelab', MODELS_FILE), text('mine'));
      expect((await open({ XDG_CONFIG_HOME: config })).upstreams).toEqual(['mine']);
      expect((await open({ XDG_CONFIG_HOME: '.' })).upstreams).toEqual([]);
      expect((await open({ CODELAB_MODELS_FILE: MODELS_FILE })).upstreams).toEqual(['hostile']); // named by the user
    } finally {
      process.chdir(before);
    }
  },
);

test('a file that is missing or wrong keeps the proxy from starting; every problem is told', async () => {
  const path = join(folder, 'wrong.yaml');
  await writeFile(path, 'models: {m: {upstream: x}}\nroutes: {r: {models: [{model: y}]}}');
  const refused = open({ CODELAB_MODELS_FILE: path });
  await expect(refused).rejects.toMatchObject({ name: 'StartError' });
  await expect(refused).rejects.toThrow(
    /wrong\.yaml" can't be used:\n {2}- models\.m\.upstream names .*\n {2}- routes\.r\.models\[0\]\.model names /,
  );
  await expect(open({ CODELAB_MODELS_FILE: join(folder, 'none.yaml') })).rejects.toThrow(/none\.yaml.*ENOENT/s);
  await writeFile(path, 'upstreams: {x: {type: openai, api_key_env: X_KEY}}');
  await expect(open({ CODELAB_MODELS_FILE: path })).rejects.toThrow(/upstreams\.x\.api_key_env names X_KEY, which is not set/);
  expect((await open({ CODELAB_MODELS_FILE: path, X_KEY: 'k' })).upstreams).toEqual(['x']);
});
