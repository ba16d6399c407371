/**
 * Makes one file of a service, run in its folder: `dist/edge/main.js` with all that it imports becomes `dist/main.js`. A service has about
 * 1,400 modules, and to find and compile each of them is most of the time that it takes to start.
 */
import { cp } from 'node:fs/promises';
import { build } from 'rolldown';

/** Files that programs read at run time, beside the module that reads them. */
const FILES = { '../../packages/bus/dist/redis/lua': 'dist/lua' };
/** What parses source code, for the only service that edits it. */
const GRAMMARS = { '../../packages/grammars/node_modules/@vscode/tree-sitter-wasm': 'dist/grammars' };

await build({
  input: 'dist/edge/main.js',
  platform: 'node',
  // what Nest asks for only where somebody uses it, and what nobody here does
  external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer)(?:\/|$)/],
  // names as they are, and no source map: stacks can be read, and reading the map would take a third of the start
  // ASCII: the process holds the text, and with one other character in it each takes two bytes
  output: { file: 'dist/main.js', format: 'esm', codeSplitting: false, keepNames: true, charset: 'ascii', comments: { jsdoc: false } },
});
const files = process.cwd().endsWith('agent-runtime') ? { ...FILES, ...GRAMMARS } : FILES;
for (const [from, to] of Object.entries(files)) await cp(from, to, { recursive: true, dereference: true });
