import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { unlessMissing } from './backups/blob-store.js';
import { writeDurably } from './backups/write-durably.js';
import { isErrno } from './to-tool-error.js';
import { withRepository } from './git/find-repository.js';
import { runGit } from './git/run-git.js';

/** Bytes of a branch's name. */
const MAX_NAME = 1024;

/** The branch that is checked out in a folder; `undefined` without one, without a repository and without git. */
async function currentBranch(root: string): Promise<string | undefined> {
  const signal = new AbortController().signal;
  try {
    const args = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
    const outcome = await withRepository(root, signal, ({ variables }) => runGit({ root, args, variables, signal, limit: MAX_NAME }));
    return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8').trim() : undefined;
  } catch {
    return undefined; // no repository, or no git: the name of the branch is a nicety
  }
}

/** What `hello.workspace` says of a folder. */
export interface WorkspaceIdentity {
  /** Stays the same for this folder and this user; what project rules are bound to. */
  readonly id: string;
  /** For people; decides nothing. */
  readonly name: string;
  /** The canonical absolute path. */
  readonly root: string;
  /** The branch that is checked out, if there is one. */
  readonly branch?: string;
}

/** Where the client keeps what belongs to the workspace at this canonical path; the folder itself holds only what people write. */
export const workspaceDataDir = (dataDir: string, realRoot: string): string =>
  join(dataDir, 'workspaces', createHash('sha256').update(realRoot).digest('hex').slice(0, 32));

const readId = async (file: string): Promise<string | undefined> => {
  const text = await unlessMissing(readFile(file, 'utf8'));
  const { id } = text === undefined ? {} : (JSON.parse(text) as { id?: unknown });
  return typeof id === 'string' ? id : undefined;
};

/** Writes the id unless another process was first, and tells which one it is now. */
const claimId = async (file: string, root: string): Promise<string> => {
  const id = `ws_${randomUUID()}`;
  const mine = `${file}.${id}`;
  await writeDurably(mine, `${JSON.stringify({ id, root })}\n`);
  try {
    await link(mine, file);
    return id;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return (await readId(file)) ?? id;
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    await rename(mine, file); // no links on this file system: the last of two processes wins
    return id;
  } finally {
    await unlessMissing(unlink(mine));
  }
};

/** Tells which workspace a folder is, whatever link it was reached by; the id is made once and kept in the data directory. */
export async function workspaceIdentity(root: string, dataDir: string): Promise<WorkspaceIdentity> {
  const real = await realpath(root);
  const directory = workspaceDataDir(dataDir, real);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'identity.json');
  const id = (await readId(file)) ?? (await claimId(file, real));
  const branch = await currentBranch(real);
  return { id, name: basename(real) || real, root: real, branch };
}
