/**
 * What sessions leave behind: `codelab bench retention [parts]`, without a word `parked` and `ended`. Each part starts real services over a Redis of its
 * own; the exit code is 1 where what is left is more than was promised. `BENCH_SESSIONS` says of how many sessions.
 */
import { fileURLToPath } from 'node:url';
import { describeMachine, presentCommit } from '@codelab/chaos';
import { ended } from './retention/ended.js';
import { parked } from './retention/parked.js';
import type { Part } from './retention/part.js';
import { results } from './retention/results.js';

const PARTS: Readonly<Record<string, Part>> = { parked, ended, results };

const named = process.argv.slice(2).filter((word) => word in PARTS);
const sessions = process.env['BENCH_SESSIONS'] === undefined ? undefined : Number(process.env['BENCH_SESSIONS']);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(`commit ${(await presentCommit(fileURLToPath(new URL('..', import.meta.url)))) ?? 'unknown'}, ${describeMachine()}`);
for (const name of named.length > 0 ? named : ['parked', 'ended']) {
  say(`\n## ${name}\n`);
  for (const missed of await PARTS[name]!({ sessions, say })) {
    say(`not so: ${missed}`);
    process.exitCode = 1;
  }
}
