import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));
/** The built program: Node can't run a source of ours as it is. In one file, because a run starts many of them. */
const PROGRAM = `${DIST}bundle/main.js`;
/** The same in its modules, for those who change one of them while it is loaded. */
export const MODULAR_PROGRAM = `${DIST}workload/client/client-program.js`;

/** Where client processes come from. Loading the client takes most of the time that one needs to be there. */
export interface ClientPool {
  /** A process that was not told anything yet. */
  take(): ChildProcess;
  close(): void;
}

export interface ClientPoolOptions {
  /** What a program needs to find others: `PATH`, `HOME` and the like, no settings and no keys. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** How many wait, loaded. */
  readonly spares: number;
  /** Arguments of Node, before the program. */
  readonly execArgv?: readonly string[];
  /** The program; the built one of this package without, or {@link MODULAR_PROGRAM} where Node has arguments. */
  readonly program?: string;
}

/** Keeps some client processes loaded, for several workloads one after the other. They end when they are closed, or with this process. */
export function startClientPool({ env, spares, execArgv = [], ...options }: ClientPoolOptions): ClientPool {
  const program = options.program ?? (execArgv.length === 0 ? PROGRAM : MODULAR_PROGRAM);
  const waiting: ChildProcess[] = [];
  const start = (): ChildProcess => spawn(process.execPath, [...execArgv, program], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...env } });
  const fill = (): void => {
    while (waiting.length < spares) waiting.push(start());
  };
  fill();
  return {
    take: () => {
      const loaded = waiting.findIndex(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
      const child = loaded === -1 ? start() : waiting.splice(loaded, 1)[0]!;
      setImmediate(fill);
      return child;
    },
    close: () => {
      spares = 0;
      for (const child of waiting.splice(0)) child.kill('SIGKILL');
    },
  };
}
