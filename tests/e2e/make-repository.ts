import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A git repository on disk. */
export interface Repository {
  readonly root: string;
  git(...argv: string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a committed repository of `files` modules in folders of fifty, and what `extra` adds. Whoever commits in it has a name, also on a machine without one. */
export async function makeRepository(
  options: { readonly files?: number; readonly extra?: Readonly<Record<string, string>> } = {},
): Promise<Repository> {
  const root = await mkdtemp(join(tmpdir(), 'codelab-repo-'));
  const git = async (...argv: string[]): Promise<string> =>
    (await run('git', ['-c', 'core.hooksPath=/dev/null', ...argv], { cwd: root })).stdout;
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (let n = 0; n < (options.files ?? 0); n += 1) {
    await write(`src/part-${String(Math.floor(n / 50))}/module-${String(n)}.js`, `export const value${String(n)} = ${String(n)};\n`);
  }
  for (const [path, text] of Object.entries(options.extra ?? {})) await write(path, text);
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'test');
  await git('config', 'user.email', 'test@localhost');
  await git('add', '-A');
  await git('commit', '-q', '--allow-empty', '-m', 'first');
  return { root, git, remove: () => rm(root, { recursive: true, force: true }) };
}
