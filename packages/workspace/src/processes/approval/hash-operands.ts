import type { Operand } from '@codelab/protocol';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { parsePath, type WorkspacePath } from '../../files/paths/parse-path.js';
import { resolveDirectory, resolvePath, type Place } from '../../files/paths/resolve-path.js';
import type { WorkspaceRoot } from '../../files/paths/workspace-root.js';
import { isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { WorkingDirectory } from './working-directory.js';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 256 * 1024;

/** A larger file is not bound, in bytes: an approver would wait for it, and a sparse one has no end. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/** Reads piece by piece: a program can be larger than what other tools read. */
const hashFile = async ({ directory, name }: Place): Promise<string> => {
  const entry = directory.entry(name);
  const seen = await lstat(entry).catch(() => undefined);
  if (!seen?.isFile()) return '';
  if (seen.size > MAX_HASHED_BYTES) throw new ToolFailure('FILE_TOO_LARGE', `${name} has ${String(seen.size)} bytes.`);
  const handle = await open(entry, FLAGS);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
};

/** What make reads instead of a `Makefile` that lies beside it. */
const BEFORE_MAKEFILE: ReadonlySet<string> = new Set(['GNUmakefile', 'makefile']);

/** @throws ToolFailure where another file beside a `Makefile` wins, so that its content says nothing of what make would run */
const assertWins = async (root: WorkspaceRoot, { segments }: WorkspacePath): Promise<void> => {
  if (segments.at(-1) !== 'Makefile') return;
  const above = segments.slice(0, -1);
  const place = await resolveDirectory(root, { text: above.join('/') || '.', segments: above }, { purpose: 'read', links: 'follow' });
  try {
    const names = await readdir(place.directory.entry('.')); // as they are written: letter case counts even where the file system ignores it
    if (names.some((name) => BEFORE_MAKEFILE.has(name))) throw new ToolFailure('CONFLICT', 'Another makefile beside it wins.');
  } finally {
    await place.close();
  }
};

/** The SHA-256 of a file of the workspace; empty where there is none, or something that is no file. */
const hashOf = async (root: WorkspaceRoot, path: WorkspacePath): Promise<string> => {
  if (path.segments.length === 0) return '';
  let place: Place;
  try {
    await assertWins(root, path);
    place = await resolvePath(root, path, { purpose: 'read', links: 'follow', leaf: 'follow' });
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return '';
    throw error;
  }
  try {
    return await hashFile(place);
  } finally {
    await place.close();
  }
};

/** Files whose code a command runs. */
export interface HashedFiles {
  /** As they are now: what an approval is bound to (H2). */
  readonly operands: readonly Operand[];
  /** Those that can't be bound, since they lie outside of the workspace can't be read or are too large; as the command names them. */
  readonly unbound: readonly string[];
}

/**
 * The path of a file in the workspace as the call names it, links and all, so that a link that is turned later is noticed. `undefined` for one
 * outside, or that climbs from a directory that was reached by a link.
 */
const pathFrom = ({ text, segments }: Pick<WorkingDirectory, 'text' | 'segments'>, run: string): WorkspacePath | undefined => {
  const isReal = text === (segments.join('/') || '.');
  if (run.startsWith('/') || (run.split('/').includes('..') && !isReal)) return undefined;
  const parsed = parsePath(posix.join(text, run));
  return parsed.ok ? parsed.path : undefined;
};

/** Looks at the files whose code a command runs, as the judgement of the command names them from its directory. */
export async function hashOperands(
  root: WorkspaceRoot,
  directory: Pick<WorkingDirectory, 'text' | 'segments'>,
  runs: Iterable<string>,
): Promise<HashedFiles> {
  const operands = new Map<string, string>();
  const unbound: string[] = [];
  for (const run of new Set(runs)) {
    const path = pathFrom(directory, run);
    const sha256 = path === undefined ? undefined : await hashOf(root, path).catch(() => undefined);
    if (path === undefined || sha256 === undefined) unbound.push(run);
    else operands.set(path.text, sha256);
  }
  return { operands: [...operands].map(([path, sha256]) => ({ path, sha256 })), unbound };
}

/**
 * Compares files with what they were when the call was decided on.
 *
 * @throws ToolFailure `APPROVAL_MISMATCH`; nothing has been run
 */
export async function verifyOperands(root: WorkspaceRoot, approved: readonly Operand[]): Promise<void> {
  for (const { path, sha256 } of approved) {
    const parsed = parsePath(path);
    const now = parsed.ok ? await hashOf(root, parsed.path).catch(() => undefined) : undefined;
    if (now === sha256) continue;
    const what = sha256 === '' ? 'was created' : now === '' ? 'was removed' : 'was changed';
    throw new ToolFailure('APPROVAL_MISMATCH', `${path} ${what} since it was approved; nothing was run.`);
  }
}
