/** `node scripts/transform-sources.mjs [file]`: transforms the sources that are new; the file, too, wherever it is, or says why it can't. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transformSync } from '@swc/core';
import { folder, pathOf, root, swcrc } from './transformed-sources.mjs';

/** What no source of today is transformed to is removed after so long, in milliseconds: somebody may be on another branch. */
const KEPT_MS = 24 * 3_600_000;
const FOLDERS = ['packages', 'apps', 'tests', 'bench', 'scripts'];
const PASSED_OVER = new Set(['node_modules', 'dist']);

const sourcesBelow = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (PASSED_OVER.has(entry.name)) return [];
    const path = join(directory, entry.name);
    return entry.isDirectory() ? sourcesBelow(path) : entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts') ? [path] : [];
  });

/** Whole or not there: others read and write it, too. */
function write(path, code) {
  const temporary = `${path}.${String(process.pid)}`;
  writeFileSync(temporary, code);
  renameSync(temporary, path);
}

const [wanted] = process.argv.slice(2);
const known = new Set();
mkdirSync(folder, { recursive: true });
for (const filename of [...(wanted === undefined ? [] : [wanted]), ...FOLDERS.flatMap((name) => sourcesBelow(join(root, name)))]) {
  const source = readFileSync(filename, 'utf8');
  const path = pathOf(filename, source);
  known.add(basename(path));
  if (existsSync(path)) continue;
  try {
    write(path, transformSync(source, { configFile: swcrc, filename, sourceMaps: 'inline' }).code);
  } catch (error) {
    if (filename === wanted) throw error; // the others fail where they are wanted
  }
}
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (!known.has(name) && age > KEPT_MS) rmSync(path, { force: true });
}
