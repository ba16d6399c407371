import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILD_MS = 60_000;

/**
 * Builds the pages of a folder with its own `vite.config.mjs` into a new temporary folder, and answers it; the caller removes it. Vite is that
 * of the package which the folder belongs to. Rejects with what Vite says.
 */
export async function buildPages(folder: string, words: readonly string[] = []): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'codelab-pages-'));
  const vite = join(dirname(createRequire(join(folder, 'vite.config.mjs')).resolve('vite/package.json')), 'bin/vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir', ...words], {
    cwd: folder,
    timeout: BUILD_MS,
  }).catch((error: Error & { stderr?: string; stdout?: string }) => {
    throw new Error(`vite build in ${folder}: ${error.stdout ?? ''}${error.stderr ?? error.message}`, { cause: error });
  });
  return outDir;
}
