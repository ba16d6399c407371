import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('__fixtures__/sheaf', import.meta.url));

/** The files of the repository that is worked on: path → text. */
export async function readRepository(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(ROOT, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(paths.map(async (path) => [path.slice(ROOT.length + 1), await readFile(path, 'utf8')] as const));
  return Object.fromEntries(files);
}
