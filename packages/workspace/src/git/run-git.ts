import { spawn } from 'node:child_process';
import { inheritedEnvironment, type Environment } from '../inherited-environment.js';
import { findProgram } from '../find-program.js';
import { ToolFailure } from '../tool-failure.js';

/** Settings of git for one run, which no file overrides. */
export type GitConfig = Readonly<Record<string, string>>;

export interface GitRun {
  /** The canonical path of the workspace, where git runs. */
  readonly root: string;
  readonly args: readonly string[];
  readonly config?: GitConfig;
  readonly signal: AbortSignal;
  /** Bytes of output after which git is stopped. */
  readonly limit: number;
}

/** How a run ended: git's own exit code, or the limit. */
export type GitOutcome =
  | {
      readonly kind: 'exited';
      readonly code: number;
      readonly stdout: Buffer;
      /** Git's first words on what went wrong. */ readonly complaint: string;
    }
  | { readonly kind: 'over_limit' };

/** Bytes of error output that are kept. */
const MAX_COMPLAINT = 4096;

/** What every run has: nothing is asked, fetched, locked, paged, hooked or watched, and file names are printed as they are. */
const CONFIG: GitConfig = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.quotePath': 'false',
  'core.askPass': '',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'status.submoduleSummary': 'false',
};

const VARIABLES: Environment = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
};

const environmentOf = (root: string, config: GitConfig): Environment => {
  const pairs = Object.entries({ ...CONFIG, ...config });
  return {
    ...inheritedEnvironment(root),
    ...VARIABLES,
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${String(index)}`, name],
        [`GIT_CONFIG_VALUE_${String(index)}`, value],
      ]),
    ),
  };
};

const firstWords = (stderr: Buffer): string => {
  const line = stderr
    .toString('utf8')
    .split('\n')
    .find((each) => each.trim() !== '');
  return (line ?? 'no reason given').replace(/^(fatal|error): /, '').trim();
};

/**
 * Runs git in the workspace, without a shell, and without anything that configuration in the workspace could make it run. Output beyond the
 * limit stops it, and so does the signal.
 *
 * @throws ToolFailure `GIT_ERROR` if git is not installed; the signal's reason if it stops the run
 */
export async function runGit({ root, args, config = {}, signal, limit }: GitRun): Promise<GitOutcome> {
  signal.throwIfAborted();
  const env = environmentOf(root, config);
  const program = await findProgram('git', env);
  if (program === undefined) throw new ToolFailure('GIT_ERROR', 'git is not installed, or not on the PATH; install git 2.31 or newer.');
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: env as NodeJS.ProcessEnv, windowsHide: true };
    const child = spawn(program, ['--no-pager', ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
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
      if (over) resolve({ kind: 'over_limit' });
      else if (signal.aborted) reject(signal.reason as Error);
      else resolve({ kind: 'exited', code: code ?? -1, stdout: Buffer.concat(stdout), complaint: firstWords(Buffer.concat(stderr)) });
    });
  });
}
