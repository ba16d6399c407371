/**
 * Makes a few files of a command, run in its folder: `dist/edge/main.js`, or the file that is named, with all that it imports becomes
 * `dist/bundle/main.js` and chunks for what is not always needed. To find and compile some hundred modules was most of the time that `codelab`
 * takes to start.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'rolldown';
import { whereModulesWere } from './where-modules-were.mjs';

const dir = resolve('dist/bundle');

rmSync(dir, { recursive: true, force: true });
await build({
  input: { main: process.argv[2] ?? 'dist/edge/main.js' },
  platform: 'node',
  plugins: [whereModulesWere(dir)],
  // what Nest asks for only where somebody uses it, and what only developers have
  external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer|canvas|@codelab\/chaos)(?:\/|$)/],
  // names as they are, and no source map: as scripts/bundle-service.mjs
  output: { dir, format: 'esm', keepNames: true, charset: 'ascii', comments: { jsdoc: false }, chunkFileNames: '[name]-[hash].js' },
});
