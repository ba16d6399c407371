import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { makeHostileFolder, type HostileFolder } from '../hostile-folder.js';
import { runCommand, startSystem, type System } from '../start-system.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HERE = 'L1:working-folder';

let folder: HostileFolder;
let system: System;
beforeAll(async () => {
  folder = await makeHostileFolder();
  system = await startSystem({ cwd: folder.root, env: folder.env });
});
afterAll(async () => {
  await system.stop();
  await folder.remove();
});

const listModels = async (url: string, token: string): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
};

const expectUntouched = async (): Promise<void> => expect([await folder.ran(), folder.asked()]).toEqual([[], 0]);

test(
  verifies(HERE, 'a stack that is started in a hostile folder takes no model, token or program from it, and says what it left'),
  async () => {
    const [proxy] = system.proxies;
    expect(await listModels(proxy?.url ?? '', system.token)).toEqual(['offline']);
    const asked = await fetch(`${proxy?.url ?? ''}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'evil-model', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(asked.status).toBe(404);
    expect(system.token).not.toBe('evil-token');
    expect(system.logs()).toContain('codelab.models.yaml in this folder is not read: set CODELAB_MODELS_FILE');
    await expectUntouched();
  },
);

test(verifies(HERE, 'each service alone, started there, is configured by its environment and its own folders'), async () => {
  for (const [app, port] of [
    ['gateway', 'GATEWAY_PORT'],
    ['agent-runtime', 'RUNTIME_PORT'],
    ['llm-proxy', 'LLM_PROXY_PORT'],
  ] as const) {
    const env = { ...folder.env, [port]: '0', REDIS_URL: system.redis.url, CODELAB_TOKENS: 'mine=acme/ann' };
    const child = spawn(process.execPath, [join(ROOT, 'apps', app, 'dist/main.js')], {
      cwd: folder.root,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    const listening = new Promise<string>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        const found = /"event":"service\.listening","port":(\d+)/.exec((log += text))?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => reject(new Error(log)));
    });
    const exited = once(child, 'exit');
    try {
      const url = `http://127.0.0.1:${await listening}`;
      expect((await fetch(`${url}/health`)).status).toBe(200);
      if (app === 'agent-runtime') continue;
      expect((await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer evil-token' } })).status).not.toBe(200);
      if (app === 'llm-proxy')
        expect([await listModels(url, 'mine'), log.includes('"event":"models_file.ignored"')]).toEqual([['offline'], true]);
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
  }
  await expectUntouched();
});

test(verifies(HERE, 'no command of codelab that is run there reads its settings or runs its programs'), async () => {
  const env = { ...system.env, ...folder.env, CODELAB_DATA_DIR: system.dataDir };
  for (const argv of [['--version'], ['doctor'], ['token'], ['sessions', 'list'], ['rules', 'list'], ['exec', 'list the files']]) {
    const { stdout, stderr, code } = await runCommand(argv, { env, cwd: folder.root });
    expect([argv, code, code === 0 ? '' : stdout + stderr]).toEqual([argv, 0, '']);
    expect(stdout + stderr).not.toContain('evil-token');
  }
  await expectUntouched();
});

test(verifies(HERE, 'the wrapper takes neither Node nor any other program from the folder that it is run in'), async () => {
  const installation = await mkdtemp(join(tmpdir(), 'codelab-wrapper-'));
  try {
    const place = async (path: string, text = ''): Promise<void> => {
      await mkdir(dirname(join(installation, path)), { recursive: true });
      await writeFile(join(installation, path), text);
    };
    await copyFile(join(ROOT, 'codelab'), join(installation, 'codelab'));
    for (const path of [
      'pnpm-lock.yaml',
      '.swcrc',
      'scripts/bundle-service.mjs',
      'packages/a/package.json',
      'packages/a/src/a',
      'apps/a/package.json',
      'apps/a/src/a',
    ]) {
      await place(path);
      await utimes(join(installation, path), 1, 1);
    }
    for (const service of ['gateway', 'agent-runtime', 'llm-proxy']) await place(`apps/${service}/dist/main.js`);
    await place('apps/console/dist/index.html');
    await place('apps/cli/dist/bundle/main.js', 'process.stdout.write(process.env.PATH)');
    for (const path of ['node_modules/.pnpm/x', '.turbo/installed', '.turbo/built']) await place(path);
    const child = spawn('/bin/sh', [join(installation, 'codelab'), 'chat'], {
      cwd: folder.root,
      env: folder.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = (await child.stdout.setEncoding('utf8').toArray()).join('');
    expect(said).toBe(process.env['PATH']);
  } finally {
    await rm(installation, { recursive: true });
  }
  await expectUntouched();
});
