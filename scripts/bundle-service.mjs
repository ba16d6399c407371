/**
 * Makes one file of a service, run in its folder: `dist/edge/main.js` with all that it imports becomes `dist/service.cjs`. A service has about
 * 1,400 modules, and to find and compile each of them is most of the time that it takes to start. What V8 compiles at a start is kept beside it
 * (`dist/service.cjs.cache`), and `dist/main.js` starts it with that.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** On a machine that is very busy. */
const LONGEST_START_MS = 120_000;
const COMPILED = fileURLToPath(new URL('compiled', import.meta.url));

/** Files that programs read at run time, beside the module that reads them. */
const FILES = { '../../packages/bus/dist/redis/lua': 'dist/lua' };
/** What parses source code, for the only service that edits it. */
const GRAMMARS = { '../../packages/grammars/node_modules/@vscode/tree-sitter-wasm': 'dist/grammars' };

/** OpenTelemetry's SDK: a file of its own, which is read only where traces are sent somewhere. */
const OTEL = '@codelab/tracing/otel';

const bundle = (input, file, more) =>
  build({
    input,
    platform: 'node',
    // what Nest and the reader of pages ask for only where somebody uses it, and what nobody here does
    external: [/^(?:@nestjs\/(?:microservices|platform-socket\.io)|class-transformer|canvas)(?:\/|$)/, OTEL],
    // names as they are, and no source map: stacks can be read, and reading the map would take a third of the start
    // ASCII: the process holds the text, and with one other character in it each takes two bytes
    output: {
      file,
      codeSplitting: false,
      keepNames: true,
      charset: 'ascii',
      comments: { jsdoc: false },
      ...more,
    },
  });

const isRuntime = process.cwd().endsWith('agent-runtime');
// compiled code can be kept of scripts alone, and these import nothing while they run but by `require`
const SCRIPT = { format: 'cjs', dynamicImportInCjs: false, paths: { [OTEL]: './otel.cjs' } };
await bundle('dist/edge/main.js', 'dist/service.cjs', SCRIPT);
await bundle('../../packages/tracing/dist/otel/index.js', 'dist/otel.cjs', SCRIPT);
// a thread begins with a file
if (isRuntime) await bundle('../../packages/web/dist/read/page-worker.js', 'dist/page-worker.js', { format: 'esm' });
const files = isRuntime ? { ...FILES, ...GRAMMARS } : FILES;
for (const [from, to] of Object.entries(files)) await cp(from, to, { recursive: true, dereference: true });
await cp(join(COMPILED, 'load-compiled.mjs'), 'dist/load-compiled.mjs');
await cp(join(COMPILED, 'start-service.mjs'), 'dist/main.js');
await compile();

/** Starts the service once, as far as it comes without a Redis. */
async function compile() {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-compile-'));
  const { PATH } = process.env;
  const ports = { GATEWAY_PORT: '0', RUNTIME_PORT: '0', LLM_PROXY_PORT: '0' };
  const env = { PATH, HOME: folder, CODELAB_DATA_DIR: folder, HOST: '127.0.0.1', ...ports, REDIS_URL: 'redis://127.0.0.1:1' };
  const child = fork(join(COMPILED, 'compile-service.mjs'), { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], timeout: LONGEST_START_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(`the service did not start, whose compiled code should be kept:\n${output}`);
}
