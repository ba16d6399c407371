import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../to-tool-error.js';
import { MAX_FILES_OF_DIRECTORY } from './facts-limits.js';
import { isOpened, type FoundFile } from './instruction-files.js';

/** A FIFO must not be waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Reads a file of the person's own configuration; links are theirs to make. `undefined` if there is none. */
export async function readUserFile(configDir: string, path: string): Promise<FoundFile | undefined> {
  const found = (content: FoundFile['content']): FoundFile => ({ path, scope: 'user', content });
  try {
    const handle = await open(join(configDir, path), FLAGS);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return found('unreadable');
      return found(isOpened(stats.size) ? await handle.readFile() : 'too_large');
    } finally {
      await handle.close();
    }
  } catch (error) {
    return isErrno(error, 'ENOENT', 'ENOTDIR') ? undefined : found('unreadable');
  }
}

const listMarkdown = async (configDir: string, directory: string): Promise<readonly string[]> => {
  const entries = await readdir(join(configDir, directory), { withFileTypes: true }).catch(() => []); // most people have none
  const files = entries.filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && /\.mdc?$/i.test(entry.name));
  const names = files.map(({ name }) => name).sort();
  return names.slice(0, MAX_FILES_OF_DIRECTORY).map((name) => `${directory}/${name}`);
};

/** What a person has written for all of their workspaces: `AGENTS.md`, and `rules/` and `agents/`. */
export async function readUserFiles(configDir: string): Promise<{
  readonly instructions: readonly FoundFile[];
  readonly rules: readonly FoundFile[];
  readonly agents: readonly FoundFile[];
}> {
  const readAll = async (paths: readonly string[]): Promise<readonly FoundFile[]> =>
    (await Promise.all(paths.map((path) => readUserFile(configDir, path)))).filter((file) => file !== undefined);
  return {
    instructions: await readAll(['AGENTS.md']),
    rules: await readAll(await listMarkdown(configDir, 'rules')),
    agents: await readAll(await listMarkdown(configDir, 'agents')),
  };
}
