import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { findProgram } from '../find-program.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { gitEnvironment } from './git-environment.js';

export interface GitRun {
  /** The canonical path of the workspace, where git runs unless `directory` says otherwise. */
  readonly root: string;
  readonly directory?: string | undefined;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Bytes of output after which git is stopped. */
  readonly limit: number;
  /** What it reads; nothing without. */
  readonly input?: string | Buffer | undefined;
  /** Those of a repository, without which git is in none, and others beside the usual ones, such as `GIT_INDEX_FILE`. */
  readonly variables?: Environment | undefined;
}

/** How a run ended: git's own exit code, or the limit. */
export type GitOutcome =
  | {
      readonly kind: 'exited';
      readonly code: number;
      readonly stdout: Buffer;
      /** Git's first words on what went wrong. */ readonly complaint: string;
    }
  | { readonly kind: 'over_limit'; /** What came before. */ readonly stdout: Buffer };

/** Bytes of error output that are kept. */
const MAX_COMPLAINT = 4096;

/** Files that a complaint names. */
const MAX_NAMED = 10;

/** The first line of a complaint; one that ends in a colon comes with the files that it is about. */
const firstWords = (stderr: Buffer): string => {
  const lines = stderr
    .toString('utf8')
    .split('\n')
    .filter((each) => each.trim() !== '');
  const first = (lines[0] ?? 'no reason given').replace(/^(fatal|error): /, '').trim();
  const named = lines.slice(1).findIndex((line) => !line.startsWith('\t'));
  const files = first.endsWith(':') ? lines.slice(1, named === -1 ? undefined : named + 1) : [];
  return [
    first,
    files
      .slice(0, MAX_NAMED)
      .map((file) => file.trim())
      .join(', '),
  ]
    .join(' ')
    .trim();
};

/**
 * Runs git in the workspace, without a shell, and for no repository but the one that `variables` name: what a `.git` in the workspace
 * configures is not read. Output beyond the limit stops it, and so does the signal.
 *
 * @throws ToolFailure `GIT_ERROR` if git is not installed; the signal's reason if it stops the run
 */
export async function runGit({ root, directory = root, args, signal, limit, input, variables }: GitRun): Promise<GitOutcome> {
  signal.throwIfAborted();
  const env = { ...gitEnvironment(root), GIT_DIR: devNull, ...variables };
  const program = await findProgram('git', env);
  if (program === undefined) throw new ToolFailure('GIT_ERROR', 'git is not installed, or not on the PATH; install git 2.31 or newer.');
  return new Promise((resolve, reject) => {
    const options = { cwd: directory, env, windowsHide: true };
    const child = spawn(program, ['--no-pager', ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => undefined); // it ended without reading all of it: its exit code says why
    child.stdin.end(input ?? '');
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let [bytes, complained, over] = [0, 0, false];
    const stop = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      over ||= bytes > limit;
      if (over) stop();
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complained < MAX_COMPLAINT) stderr.push(chunk);
      complained += chunk.length;
    });
    child.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(new ToolFailure('GIT_ERROR', 'git cannot be started in the workspace folder.', { cause: error }));
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (over) resolve({ kind: 'over_limit', stdout: Buffer.concat(stdout) });
      else if (signal.aborted) reject(signal.reason as Error);
      else {
        const complaint = firstWords(Buffer.concat(stderr)).replaceAll(variables?.['GIT_COMMON_DIR'] ?? devNull, '.git');
        resolve({ kind: 'exited', code: code ?? -1, stdout: Buffer.concat(stdout), complaint });
      }
    });
  });
}
