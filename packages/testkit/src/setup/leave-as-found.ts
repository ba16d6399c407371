/**
 * Runs beside each test file: one that leaves a variable of the environment or the working directory changed fails, and the next file finds
 * them as they were. The files of a worker share the process: a `PATH` that one leaves behind fails whichever comes next.
 */
import { statSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

interface Surroundings {
  readonly directory: string;
  readonly variables: NodeJS.ProcessEnv;
}

const KEY = Symbol.for('codelab.tests.surroundings');
const held = globalThis as { [KEY]?: { readonly variables: NodeJS.ProcessEnv; readonly found: Surroundings } };

const look = (): Surroundings => ({ directory: process.cwd(), variables: { ...process.env } });

const { found, variables } = (held[KEY] ??= { variables: process.env, found: look() });

/** Also what somebody brought back to life: a test that timed out may go on. */
const restore = (): void => {
  process.env = variables; // one replaced it by an object of its own
  process.chdir(found.directory);
  for (const name of Object.keys(variables)) if (found.variables[name] === undefined) delete variables[name];
  Object.assign(variables, found.variables);
};

restore();
// Node 20 follows no symlink where the newest stat of the process, whoever's it was, found a socket: what a file then imports is another copy
// of what others have imported, and `instanceof` denies what one of them threw (nodejs/node, realpathSync).
statSync(found.directory);
afterAll(() => {
  const left = look();
  const sameObject = process.env === variables;
  restore();
  expect(left, 'a test file leaves the environment and the working directory as it found them').toEqual(found);
  expect(sameObject, 'a test file changes variables, and does not replace process.env').toBe(true);
});
