/**
 * `node scripts/bundle-program.mjs <program> <file>`: the built modules that a program of tests imports, in one file. Where a test starts it a hundred times,
 * finding and compiling them is most of what the test takes.
 */
import { dirname, resolve } from 'node:path';
import { build } from 'rolldown';
import { whereModulesWere } from './where-modules-were.mjs';

const [program, file] = process.argv.slice(2).map((path) => resolve(path));
await build({
  input: program,
  platform: 'node',
  plugins: [whereModulesWere(dirname(file))],
  output: { file, format: 'esm', codeSplitting: false, keepNames: true, charset: 'ascii', comments: { jsdoc: false } },
  logLevel: 'warn',
});
