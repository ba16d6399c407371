import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';

/** A small file of a repository's own data. */
export interface RepositoryFile {
  /** Its name, for messages. */
  readonly name: string;
  readonly content: Buffer;
}

const MAX_BYTES = 1024 * 1024;

const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a file of a repository's data, such as its configuration; `undefined` if it is not there.
 *
 * @throws ToolFailure `GIT_ERROR` if it is no regular file, or has more than a megabyte
 */
export async function readRepositoryFile(path: string, name: string): Promise<RepositoryFile | undefined> {
  const handle = await open(path, FLAGS).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new ToolFailure('GIT_ERROR', `${name} is not a regular file.`);
    const content = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(content, length, content.length - length, null);
      length += bytesRead;
      if (length > MAX_BYTES) throw new ToolFailure('GIT_ERROR', `${name} has more than ${String(MAX_BYTES)} bytes.`);
      if (bytesRead === 0) return { name, content: content.subarray(0, length) };
    }
  } finally {
    await handle.close();
  }
}
