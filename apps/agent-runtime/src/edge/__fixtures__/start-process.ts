import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('runtime-process.ts', import.meta.url));
const LOADER = new URL('../../../../../scripts/register-swc.mjs', import.meta.url).href;

/** A runtime as a process of its own. */
export interface RuntimeProcess {
  readonly child: ChildProcess;
  /** Sends a signal, and answers how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/**
 * Starts a runtime from its sources, and waits until it is ready.
 * @param egressAllow private addresses that its tools by URL may reach
 */
export async function startProcess(redisUrl: string, egressAllow = ''): Promise<RuntimeProcess> {
  const execArgv = ['--conditions=codelab-source', '--import', LOADER];
  const child = fork(PROGRAM, [redisUrl, egressAllow], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: { type: string }) => (message.type === 'ready' ? resolve() : undefined));
    child.once('exit', () => reject(new Error('a runtime ended at its start')));
  });
  return {
    child,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}
