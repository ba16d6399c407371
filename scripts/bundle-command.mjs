/**
 * Makes a few files of a command, run in its folder: `dist/edge/main.js`, or the file that is named, with all that it imports becomes
 * `dist/bundle/command.cjs` and chunks of what is not always needed, and `dist/bundle/main.js` starts that. To find and compile some hundred modules was most
 * of the time that `codelab` takes to start. What V8 compiles in a few runs is kept beside each chunk (`<chunk>.cjs.cache`).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { COMMAND_RUNS } from './compiled/command-runs.mjs';
import { whereModulesWere } from './where-modules-were.mjs';

/** On a machine that is very busy. */
const LONGEST_RUN_MS = 120_000;
const COMPILED = fileURLToPath(new URL('compiled', import.meta.url));
const dir = resolve('dist/bundle');

rmSync(dir, { recursive: true, force: true });
await build({
  input: { command: process.argv[2] ?? 'dist/edge/main.js' },
  platform: 'node',
  plugins: [whereModulesWere(dir)],
  // what Nest asks for only where somebody uses it, and what only developers have
  external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer|canvas|@codelab\/chaos)(?:\/|$)/],
  output: {
    dir,
    // compiled code can be kept of scripts alone, and these import nothing while they run but by `require`
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // names as they are, ASCII, and no source map: as scripts/bundle-service.mjs
    keepNames: true,
    charset: 'ascii',
    comments: { jsdoc: false },
  },
});
for (const file of ['load-compiled.mjs', 'load-chunks.mjs']) cpSync(join(COMPILED, file), join(dir, file));
cpSync(join(COMPILED, 'start-command.mjs'), join(dir, 'main.js'));
compile();

/** What one run keeps, the next one adds to. */
function compile() {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-compile-'));
  const [programs, workspace] = ['programs', 'workspace'].map((name) => join(folder, name));
  for (const path of [programs, workspace]) mkdirSync(path);
  // the machine that builds need not have them, and a command would fetch what is missing
  for (const name of ['git', 'rg', 'redis-server'])
    writeFileSync(join(programs, name), '#!/bin/sh\necho version 99.0.0\n', { mode: 0o755 });
  const env = { PATH: programs, HOME: folder, TERM: 'dumb' };
  for (const { words, reads } of COMMAND_RUNS[basename(process.cwd())]) {
    const argv = [join(COMPILED, 'compile-command.mjs'), dir, ...words];
    const input = reads.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { signal, error, stderr } = spawnSync(process.execPath, argv, {
      cwd: workspace,
      env,
      input,
      encoding: 'utf8',
      timeout: LONGEST_RUN_MS,
    });
    // most fail, for want of a gateway; one that did not come to its end has kept nothing
    if (signal !== null || error !== undefined)
      throw new Error(`\`${words.join(' ')}\` did not end, whose compiled code should be kept:\n${stderr}`);
  }
  rmSync(folder, { recursive: true, maxRetries: 5 });
  if (!existsSync(join(dir, 'command.cjs.cache'))) throw new Error('no compiled code was kept of the command');
}
