import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const seconds = JSON.parse(readFileSync(new URL('../tests/slow-files.json', import.meta.url), 'utf8'));

/**
 * The files that take longest begin first: one that is begun last is waited for by idle processors. `tests/slow-files.json` says which, in
 * seconds on two cores; `.turbo/results/<layer>.json` has those of the last run.
 */
export class SlowFilesFirst extends BaseSequencer {
  async sort(files) {
    const known = ({ moduleId }) => seconds[relative(root, moduleId)] ?? 0;
    return (await super.sort(files)).sort((a, b) => known(b) - known(a));
  }
}
