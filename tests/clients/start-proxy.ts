import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { startScriptedProvider, type RecordedRequest, type Script } from '@codelab/testkit';

const MAIN = fileURLToPath(new URL('../../apps/llm-proxy/dist/main.js', import.meta.url));
/** What the callers have, and what the proxy has for its two upstreams: none of them may be seen on the other side. */
const TOKEN = 'token-of-the-caller';
const OPENAI_KEY = 'key-for-openai';
const ANTHROPIC_KEY = 'key-for-anthropic';

const LISTENING = /"event":"service\.listening","port":(\d+)/;

/** A real proxy before a scripted provider, which plays both vendors: `gpt-…` and `claude-…` reach it in its two dialects. */
export interface TestProxy {
  /** For programs: `PROXY_URL` without `/v1`, `PROXY_TOKEN`. */
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly token: string;
  /** What the upstream was asked with this model, refused requests for threads left out. */
  asked(model: string): RecordedRequest[];
  readonly requests: readonly RecordedRequest[];
  stop(): Promise<void>;
}

/**
 * Starts it without Redis: whoever brings all its tools needs none.
 *
 * @param upstreams of the models file, if there is to be one
 */
export async function startProxy(script: Script, upstreams?: object): Promise<TestProxy> {
  const provider = await startScriptedProvider({ script });
  const folder = await mkdtemp(join(tmpdir(), 'codelab-clients-'));
  const modelsFile = join(folder, 'models.yaml');
  if (upstreams) await writeFile(modelsFile, JSON.stringify({ upstreams })); // JSON is YAML, too
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: {
      ...{ PATH, HOME: folder, CODELAB_DATA_DIR: folder, LLM_PROXY_PORT: '0', REDIS_URL: 'redis://127.0.0.1:1' },
      CODELAB_TOKENS: `${TOKEN}=acme/ann?scopes=llm`,
      ...(upstreams && { CODELAB_MODELS_FILE: modelsFile }),
      ...{ OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: OPENAI_KEY },
      ...{ ANTHROPIC_BASE_URL: provider.origin, ANTHROPIC_API_KEY: ANTHROPIC_KEY },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${await portOf(child.stderr)}`;
  return {
    ...{ url, token: TOKEN, requests: provider.requests },
    env: { PATH, HOME: folder, PROXY_URL: url, PROXY_TOKEN: TOKEN },
    asked: (model) => provider.requests.filter(({ body }) => body.model === model && body.thread === undefined),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The port that the log names. The log is read to its end: a full pipe would stop the proxy. */
function portOf(output: Readable): Promise<number> {
  let log = '';
  return new Promise((resolve, reject) => {
    output.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const port = LISTENING.exec(log)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    output.once('end', () => reject(new Error(`the proxy ended before it listened:\n${log}`)));
  });
}
