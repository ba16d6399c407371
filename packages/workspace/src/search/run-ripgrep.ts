import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { MAX_RIPGREP_BYTES, MAX_RIPGREP_OUTPUT_BYTES, RIPGREP_MS } from '../limits.js';
import type { Environment } from '../inherited-environment.js';

/** A ripgrep that may be used. */
export interface Ripgrep {
  /** Absolute path, never in the workspace. */
  readonly program: string;
  readonly environment: Environment;
}

interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: Buffer;
  readonly signal: AbortSignal;
}

/** What came of a run; `undefined` where one has to do without: it took too much time or memory, or could not be started. */
export type RipgrepOutcome = { readonly code: number; readonly stdout: Buffer; readonly complaint: string } | undefined;

/** How often its memory is looked at, in milliseconds. */
const WATCH_MS = 100;
const PAGE_BYTES = 4096;

/** What a process has for itself, where the system tells. */
const ownBytes = async (pid: number): Promise<number> => {
  const [, resident = 0, shared = 0] = (await readFile(`/proc/${String(pid)}/statm`, 'utf8').catch(() => '')).split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
};

/**
 * Runs ripgrep without its configuration. It is stopped by the signal, and by us when it takes more than its share: a tree can hold what
 * makes it read for ever, such as a `.gitignore` that is a link to a device.
 *
 * @throws the signal's reason
 */
export function runRipgrep({ program, environment }: Ripgrep, { args, cwd, input, signal }: RipgrepRun): Promise<RipgrepOutcome> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const env = environment as NodeJS.ProcessEnv;
    const child = spawn(program, ['--no-config', '--color=never', ...args], { cwd, env, windowsHide: true, stdio: 'pipe' });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let [bytes, given] = [0, false];
    const stop = (): void => void child.kill('SIGKILL');
    const giveUp = (): void => {
      given = true;
      stop();
    };
    const timer = setTimeout(giveUp, RIPGREP_MS);
    const watch = setInterval(() => {
      void ownBytes(child.pid ?? 0).then((own) => own > MAX_RIPGREP_BYTES && giveUp());
    }, WATCH_MS);
    signal.addEventListener('abort', stop, { once: true });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else settle();
    };
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_RIPGREP_OUTPUT_BYTES) giveUp();
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4) stderr.push(chunk);
    });
    child.stdin.on('error', () => undefined); // it ended before it had read all: its exit code says why
    child.stdin.end(input);
    child.on('error', () => end(() => resolve(undefined)));
    child.on('close', (code) => {
      const outcome = { code: code ?? -1, stdout: Buffer.concat(stdout), complaint: Buffer.concat(stderr).toString('utf8').trim() };
      end(() => resolve(given || code === null ? undefined : outcome));
    });
  });
}
