import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = /\.(tsx?|mjs|lua|css)$/;
const NOT_COUNTED = /\.test\.tsx?$/;
/** Never entered: in `node_modules` lie links to every other package. */
const NOT_ENTERED = new Set(['node_modules', 'dist', '.turbo', 'test', '__fixtures__']);

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return NOT_ENTERED.has(entry.name) ? [] : filesBelow(path);
  });

/** Every source file of apps, packages, bench and scripts, with its lines. */
export function measureSources() {
  return ['apps', 'packages', 'bench', 'scripts']
    .flatMap((top) => filesBelow(join(root, top)).map((path) => relative(root, path)))
    .filter((path) => SOURCE.test(path) && !NOT_COUNTED.test(path))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }));
}

/** The middle of the values, or that below which the given share of them lies. */
export const quantile = (values, share = 0.5) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Values by a key, in the order in which the keys come. (`Map.groupBy` is not in Node 20.) */
export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** Files by the folder that they lie in. */
export const byFolder = (files) => groupBy(files, ({ path }) => dirname(path));
