import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { findProgram } from '../../find-program.js';
import { inheritedEnvironment, type Environment } from '../../inherited-environment.js';

/** Where a shadow repository lies, and the folder that it looks at. */
export interface ShadowPlace {
  /** Its own data, in the client's data directory. */
  readonly gitDir: string;
  /** The top of the user's repository, or the workspace itself. */
  readonly top: string;
  /** The workspace, for which programs are not taken. */
  readonly root: string;
}

/** One run of git. */
interface ShadowRun {
  readonly args: readonly string[];
  /** What it reads; in pieces, as it takes them, where there may be much of it. */
  readonly input?: string | Generator<string>;
}

/** Nothing is converted, filtered, hooked, watched, fetched, compressed or synced: contents are kept as they are, and for a while. */
const CONFIG: Readonly<Record<string, string>> = {
  'core.attributesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.compression': '0',
  'core.fsmonitor': 'false',
  'core.fsync': 'none',
  'core.hooksPath': '/dev/null',
  'core.protectNTFS': 'false',
  'core.quotePath': 'false',
  'core.safecrlf': 'false',
  'gc.auto': '0',
  'index.version': '4',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
};

const environmentOf = ({ gitDir, top, root }: ShadowPlace): Environment => {
  const pairs = Object.entries(CONFIG);
  return {
    ...inheritedEnvironment(root),
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: `${gitDir}/index`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${String(index)}`, name],
        [`GIT_CONFIG_VALUE_${String(index)}`, value],
      ]),
    ),
  };
};

/** Why a run of git in the shadow repository failed. */
export class ShadowFailure extends Error {
  override readonly name: string = 'ShadowFailure';
}

/** Git is not there: what commands change can't be kept. */
export class NoGit extends ShadowFailure {
  override readonly name = 'NoGit';
}

const readAll = async (stream: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
};

/**
 * Runs git in a shadow repository, with none of the user's configuration and none of the workspace's, and hands its output to `take`.
 *
 * @throws NoGit, or ShadowFailure with git's first words
 */
export async function withShadowGit<T>(place: ShadowPlace, { args, input }: ShadowRun, take: (stdout: Readable) => Promise<T>): Promise<T> {
  const env = environmentOf(place);
  const program = await findProgram('git', env);
  if (program === undefined) throw new NoGit('git is not installed, or not on the PATH');
  const child = spawn(program, ['--no-pager', ...args], {
    cwd: place.top,
    env: env,
    windowsHide: true,
    stdio: 'pipe',
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.on('error', (error) => reject(new ShadowFailure('git cannot be started', { cause: error })));
    child.on('close', (code) => resolve(code ?? -1));
  });
  child.stdin.on('error', () => undefined); // git ended early: its exit code says why
  if (typeof input === 'object') Readable.from(input).pipe(child.stdin);
  else child.stdin.end(input ?? '');
  const [taken, complaint, code] = await Promise.allSettled([take(child.stdout), readAll(child.stderr), closed]);
  if (code.status === 'rejected') throw code.reason;
  const words = complaint.status === 'fulfilled' ? (complaint.value.toString('utf8').split('\n', 1)[0] ?? '') : '';
  if (code.value !== 0) throw new ShadowFailure(`git ${args[0] ?? ''} failed: ${words.slice(0, 300)}`);
  if (taken.status === 'rejected') throw taken.reason as Error;
  return taken.value;
}

/** Runs git in a shadow repository and returns what it printed. */
export const shadowGit = async (place: ShadowPlace, run: ShadowRun): Promise<string> =>
  withShadowGit(place, run, async (stdout) => (await readAll(stdout)).toString('utf8'));
