import type { Operand } from '@codelab/protocol';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { parsePath, type WorkspacePath } from '../files/parse-path.js';
import { resolvePath, type Place } from '../files/resolve-path.js';
import type { WorkspaceRoot } from '../files/workspace-root.js';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 256 * 1024;

/** Reads piece by piece: a program can be larger than what other tools read. */
const hashFile = async ({ directory, name }: Place): Promise<string> => {
  const entry = directory.entry(name);
  const seen = await lstat(entry).catch(() => undefined);
  if (!seen?.isFile()) return '';
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

/** The SHA-256 of a file of the workspace; empty where there is none, or something that is no file. */
const hashOf = async (root: WorkspaceRoot, path: WorkspacePath): Promise<string> => {
  if (path.segments.length === 0) return '';
  let place: Place;
  try {
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
  /** Those that can't be bound, since they lie outside of the workspace or can't be read; as the command names them. */
  readonly unbound: readonly string[];
}

/**
 * Looks at the files whose code a command runs.
 *
 * @param segments the directory that the command runs in
 * @param runs as the judgement of the command names them, from there
 */
export async function hashOperands(root: WorkspaceRoot, segments: readonly string[], runs: Iterable<string>): Promise<HashedFiles> {
  const operands = new Map<string, string>();
  const unbound: string[] = [];
  for (const run of new Set(runs)) {
    const parsed = parsePath(run);
    const path = parsed.ok ? parsePath([...segments, ...parsed.path.segments].join('/')) : parsed;
    const sha256 = path.ok ? await hashOf(root, path.path).catch(() => undefined) : undefined;
    if (path.ok && sha256 !== undefined) operands.set(path.path.text, sha256);
    else unbound.push(run);
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
