import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const CLI = fileURLToPath(new URL('../../apps/cli/dist/bundle/main.js', import.meta.url));

/** What `codelab up --json` prints. */
export interface SystemInfo {
  readonly gateways: readonly { readonly url: string; readonly ws: string; readonly pid: number }[];
  readonly runtimes: readonly { readonly url: string; readonly pid: number }[];
  readonly proxies: readonly { readonly url: string; readonly pid: number }[];
  readonly redis: { readonly url: string; readonly pid: number | null };
  readonly token: string;
}

/** A whole system of real processes. */
export interface System extends SystemInfo {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The JSON logs of all services so far. */
  logs(): string;
  /** The present pid of a service: a restarted one has another. */
  pidOf(url: string): Promise<number>;
  stop(): Promise<void>;
}

/** What `codelab` prints and how it ends. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const {
    REDIS_URL: _r,
    OPENAI_API_KEY: _k,
    OPENAI_BASE_URL: _b,
    ANTHROPIC_API_KEY: _a,
    ANTHROPIC_BASE_URL: _u,
    CODELAB_MODELS_FILE: _f,
    CODELAB_TOOLS_FILE: _s,
    CODELAB_MODEL: _m,
    CODELAB_TOKENS: _t,
    NODE_OPTIONS: _n,
    ...env
  } = process.env;
  return { ...env, CODELAB_VOCABULARY: 'codelab' }; // scripted models call the canonical tools where a test names no other
};

/** Starts `codelab up --json` with a Redis and a data folder of its own. */
export async function startSystem(
  options: {
    readonly gateways?: number;
    readonly runtimes?: number;
    readonly proxies?: number;
    readonly env?: Readonly<NodeJS.ProcessEnv>;
    readonly cwd?: string;
  } = {},
): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), 'codelab-e2e-'));
  const env = { ...cleanEnvironment(), CODELAB_DATA_DIR: dataDir, ...options.env };
  const { gateways = 1, runtimes = 1, proxies = 1 } = options;
  const argv = [CLI, 'up', '--json', '--gateways', String(gateways), '--runtimes', String(runtimes), '--proxies', String(proxies)];
  const child = spawn(process.execPath, argv, { env, cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let logs = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (logs += text));
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text as string),
    exited.then(() => undefined),
  ]);
  if (line === undefined) throw new Error(`codelab up ended before it was ready:\n${logs}`);
  const info = JSON.parse(line) as SystemInfo;
  return {
    ...info,
    dataDir,
    env,
    logs: () => logs,
    pidOf: async (url) => ((await (await fetch(`${url}/health`)).json()) as { pid: number }).pid,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs `codelab …` to its end. */
export async function runCommand(
  argv: readonly string[],
  options: {
    readonly env?: NodeJS.ProcessEnv;
    readonly cwd?: string;
    readonly input?: string;
    readonly onStdout?: (text: string, child: ReturnType<typeof spawn>) => void;
  } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [CLI, ...argv], {
    env: options.env ?? cleanEnvironment(),
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    options.onStdout?.(text, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(options.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
