/**
 * How the system grows: `codelab bench scale [parts]`. Each part starts real services over a Redis of its own, prints what it measured, and
 * counts what went wrong at a client or was logged as an error; the exit code is 1 if that is more than nothing.
 */
import { fileURLToPath } from 'node:url';
import { describeMachine, presentCommit } from '@codelab/chaos';
import { cost } from './scale/cost.js';
import { idle } from './scale/idle.js';
import { roll } from './scale/roll.js';
import { soak } from './scale/soak.js';
import type { PartContext } from './scale/stage.js';
import { throughput } from './scale/throughput.js';
import { waiting } from './scale/waiting.js';

const PARTS: Readonly<Record<string, (context: PartContext) => Promise<number>>> = { cost, roll, idle, waiting, throughput, soak };

const words = process.argv.slice(2);
const named = words.filter((word) => word in PARTS);
const minutes = words.includes('--minutes') ? Number(words[words.indexOf('--minutes') + 1]) : 30;
const store = words.includes('--cluster') ? 'cluster' : 'single';
const chosen = named.length > 0 ? named : Object.keys(PARTS).filter((name) => name !== 'soak');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const root = fileURLToPath(new URL('..', import.meta.url));
say(
  `commit ${(await presentCommit(root)) ?? 'unknown'}, ${describeMachine()}, Redis: ${store === 'single' ? 'one server' : 'a Cluster of three'}`,
);
let errors = 0;
for (const name of chosen) {
  say(`\n## ${name}\n`);
  errors += await PARTS[name]!({ store, minutes, say });
}
process.exitCode = errors === 0 ? 0 : 1;
