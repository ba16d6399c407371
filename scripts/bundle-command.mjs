/**
 * Makes a few files of a command, run in its folder: `dist/edge/main.js`, or the file that is named, with all that it imports becomes
 * `dist/bundle/main.js` and chunks for what is not always needed. To find and compile some hundred modules was most of the time that `codelab`
 * takes to start.
 */
import { rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { build } from 'rolldown';

const dir = resolve('dist/bundle');

/** Workers, scripts and settings lie beside the modules that name them, and stay there: a module is told where it was. */
const whereModulesWere = {
  name: 'where-modules-were',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) =>
      code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(dir, id).replaceAll('\\', '/'))}, import.meta.url).href`),
  },
};

rmSync(dir, { recursive: true, force: true });
await build({
  input: { main: process.argv[2] ?? 'dist/edge/main.js' },
  platform: 'node',
  plugins: [whereModulesWere],
  // what Nest asks for only where somebody uses it, and what only developers have
  external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer|canvas|@codelab\/chaos)(?:\/|$)/],
  // names as they are, and no source map: as scripts/bundle-service.mjs
  output: { dir, format: 'esm', keepNames: true, charset: 'ascii', comments: { jsdoc: false }, chunkFileNames: '[name]-[hash].js' },
});
