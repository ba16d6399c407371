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

/** OpenTelemetry's SDK: a file of its own, which is read only where traces are sent somewhere. */
const OTEL = '@codelab/tracing/otel';

const bundle = (input, file) =>
  build({
    input,
    platform: 'node',
    // what Nest and the reader of pages ask for only where somebody uses it, and what nobody here does
    external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer|canvas)(?:\/|$)/, OTEL],
    // names as they are, and no source map: stacks can be read, and reading the map would take a third of the start
    // ASCII: the process holds the text, and with one other character in it each takes two bytes
    output: {
      file,
      format: 'esm',
      codeSplitting: false,
      keepNames: true,
      charset: 'ascii',
      comments: { jsdoc: false },
      paths: { [OTEL]: './otel.js' },
    },
  });

const isRuntime = process.cwd().endsWith('agent-runtime');
await bundle('dist/edge/main.js', 'dist/main.js');
await bundle('../../packages/tracing/dist/otel/index.js', 'dist/otel.js');
// a thread begins with a file
if (isRuntime) await bundle('../../packages/web/dist/read/page-worker.js', 'dist/page-worker.js');
const files = isRuntime ? { ...FILES, ...GRAMMARS } : FILES;
for (const [from, to] of Object.entries(files)) await cp(from, to, { recursive: true, dereference: true });
