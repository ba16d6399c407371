/**
 * TypeScript sources as JavaScript, kept by their content: a program of a test, and each of its threads, reads what was transformed before
 * it. The transformer itself is native, and ends a process that loads it in a second thread after the first one has ended: it is loaded only
 * by `transform-sources.mjs`, a process of its own that transforms all that is new at once.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const swcrc = join(root, '.swcrc');
export const folder = join(root, 'node_modules/.cache/transformed-sources');

const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const base = createHash('sha256').update(version).update(readFileSync(swcrc));

/** Where the transformed form of a source is, if there is one. */
export const pathOf = (filename, source) =>
  join(folder, `${base.copy().update(relative(root, filename)).update('\0').update(source).digest('hex')}.js`);
