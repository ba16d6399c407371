import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startProcess } from '../start-processes.js';
import type { Case } from './requests.js';

const OURS = fileURLToPath(new URL('../../apps/llm-proxy/dist/main.js', import.meta.url));
const TOKEN = 'bench-token';

/** With newer versions of the last two, which it would install, it cannot stream. */
const PORTKEY = { '@portkey-ai/gateway': '1.15.2', hono: '4.9.7', '@hono/node-server': '1.13.7' };

/** A program between the driver and the upstream. */
export interface Subject {
  readonly name: 'codelab' | 'baseline' | 'portkey';
  readonly pid: number;
  readonly port: number;
  /** Headers that a request needs to find its way. */
  readonly headers: (request: Case) => Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

export interface Places {
  /** Without a path. */
  readonly upstream: string;
  readonly redis: string;
  readonly dataDir: string;
}

const stopper = (child: ChildProcess) => async (): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** What is built, as `codelab up` runs it, with limits, budgets and all of its checks; its log is on disk like anybody's. */
export async function startOurs({ upstream, redis, dataDir }: Places): Promise<Subject> {
  const child = fork(OURS, {
    env: {
      ...process.env,
      ...{
        LLM_PROXY_PORT: '0',
        CODELAB_TOKENS: `${TOKEN}=bench/driver`,
        CODELAB_DATA_DIR: dataDir,
        REDIS_URL: redis,
        NODE_ENV: 'production',
      },
      ...{ OPENAI_BASE_URL: `${upstream}/v1`, OPENAI_API_KEY: 'upstream', ANTHROPIC_BASE_URL: upstream, ANTHROPIC_API_KEY: 'upstream' },
      LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let listening = 0;
    child.on('exit', () => reject(new Error('llm-proxy ended before it was ready; is it built?')));
    child.on('message', (message: { readonly type: string; readonly port?: number; readonly message?: string }) => {
      if (message.type === 'failed') reject(new Error(message.message));
      if (message.type === 'listening') listening = message.port ?? 0;
      if (message.type === 'ready') resolve(listening);
    });
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  return { name: 'codelab', pid: child.pid ?? 0, port, headers: () => headers, stop: stopper(child) };
}

export async function startBaseline({ upstream }: Places): Promise<Subject> {
  const { pid, port, stop } = await startProcess('baseline/reverse-proxy.ts', { UPSTREAM_URL: upstream });
  return { name: 'baseline', pid, port, headers: () => ({ authorization: `Bearer ${TOKEN}` }), stop };
}

/** The program that many use for this, installed beside the temporary files the first time. */
export async function startPortkey({ upstream }: Places): Promise<Subject> {
  const folder = await installPortkey();
  const port = await freePort();
  const main = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const child = spawn(process.execPath, [main, `--port=${String(port)}`, '--headless'], {
    env: { ...process.env, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: 'localhost,127.0.0.1' },
    stdio: ['ignore', 'pipe', 'ignore'], // it logs each refusal with its stack
  });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error('Portkey ended at its start')))]);
  child.stdout.resume();
  return {
    ...{ name: 'portkey', pid: child.pid ?? 0, port, stop: stopper(child) },
    headers: ({ upstream: dialect }) => ({
      authorization: 'Bearer upstream',
      'x-portkey-provider': dialect === 'chat' ? 'openai' : 'anthropic',
      'x-portkey-custom-host': `${upstream}/v1`,
    }),
  };
}

async function installPortkey(): Promise<string> {
  const folder = join(tmpdir(), `codelab-bench-portkey-${PORTKEY['@portkey-ai/gateway']}`);
  const done = join(folder, 'installed');
  if (
    await access(done).then(
      () => true,
      () => false,
    )
  )
    return folder; // not there: install it
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PORTKEY, overrides: PORTKEY }));
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await writeFile(done, '');
  return folder;
}

/** A port that nobody has right now: Portkey takes none of its own choice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
