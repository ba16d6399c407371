import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOREIGN = new Set(['node_modules', 'dist', '.git', '.turbo', '.codelab-data', 'coverage']);

const walk = async (folder: string): Promise<string[]> => {
  const files: string[] = [];
  for (const entry of await readdir(join(ROOT, folder), { withFileTypes: true })) {
    if (FOREIGN.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await walk(path)));
    else files.push(path);
  }
  return files;
};

/** Every file of the repository, relative to its root; neither dependencies nor what a build makes. */
export const FILES: readonly string[] = (await walk('')).sort();

/** The text of a file, by its path from the root. */
export const read = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');
