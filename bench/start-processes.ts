import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const LOADER = new URL('../scripts/register-swc.mjs', import.meta.url).href;

/** A process of the run. */
export interface BenchProcess {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts `bench/<file>` and waits until it is ready. */
export async function startProcess(file: string, env: Readonly<Record<string, string>>): Promise<BenchProcess> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, ...env },
    execArgv: ['--conditions=codelab-source', '--import', LOADER],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ])) as [{ port?: number }];
  return {
    pid: child.pid ?? 0,
    port: message.port ?? 0,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
