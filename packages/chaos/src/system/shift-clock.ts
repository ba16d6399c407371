/**
 * Runs before the service and moves the clock that all of it reads, `Date.now()` (packages/clock has no other), by what stands in a file.
 * SIGUSR2 reads the file anew. It comes in from outside, so that no service has a switch for it.
 */
const PRELOAD = `
import { readFileSync } from 'node:fs';
const path = process.env.CODELAB_CHAOS_CLOCK;
const realNow = Date.now;
let ahead = 0;
const read = () => { try { ahead = Number(readFileSync(path, 'utf8')) || 0; } catch { ahead = 0; } };
read();
process.on('SIGUSR2', read);
Date.now = () => realNow() + ahead;
globalThis.Date = new Proxy(Date, {
  construct: (target, words, made) => Reflect.construct(target, words.length === 0 ? [Date.now()] : words, made),
});
`;

/** For Node, before the program. */
export const clockArguments = (): readonly string[] => [
  '--import',
  `data:text/javascript;base64,${Buffer.from(PRELOAD).toString('base64')}`,
];
