/**
 * Every check of this repository, cheapest first: `pnpm verify`, `codelab test`. `--quick` leaves out what needs Redis or a build;
 * names of layers run only those.
 * A layer that fails shows its output. The last line is `N passed, N failed`: tests, and one for each layer that isn't made of tests.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const quick = process.argv.includes('--quick');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const LONGEST_MS = 20 * 60_000;
/** What jest says about a test file that left something running. */
const LEAK = /failed to exit gracefully|did not exit one second after/;
/** More files than these don't fail by accident. */
const MAX_REPEATED = 3;
/** It would wait for that for ever. */
const HANGS = /did not exit one second after/;

const node = (...words) => [process.execPath, ...words];
const tool = (path, ...words) => node(`node_modules/${path}`, ...words);
const jest = (...words) => ({ jest: words });
const engineAnswers = () => spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0;

/**
 * `command` counts as one check, `jest` as many as it has tests. `missing` says why a layer can't run here, if so. `reads`: it looks at the
 * sources and nothing else, so it may run beside its neighbours; the report keeps the order.
 */
const LAYERS = [
  { name: 'format', quick: true, reads: true, command: tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.') },
  { name: 'lint', quick: true, reads: true, command: tool('eslint/bin/eslint.js', '.') },
  {
    name: 'imports',
    quick: true,
    reads: true,
    command: tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs', 'packages', 'apps', 'tests'),
  },
  { name: 'types', quick: true, reads: true, command: tool('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json') },
  { name: 'freshness', quick: false, ...jest('--testPathPatterns', '/tests/architecture/') },
  {
    name: 'unit',
    quick: true,
    ...jest('--maxWorkers=2', '--testPathIgnorePatterns', '/node_modules/', '/dist/', '/tests/architecture/', '\\.(int|e2e)\\.test\\.ts$'),
  },
  // these wait more than they work
  { name: 'integration', quick: false, ...jest('--maxWorkers=3', '--testPathPatterns', '\\.int\\.test\\.ts$') },
  { name: 'build', quick: false, command: ['./codelab', '--version'] },
  { name: 'e2e', quick: false, ...jest('--maxWorkers=2', '--testPathPatterns', '\\.e2e\\.test\\.ts$') },
  {
    name: 'compose',
    quick: false,
    command: ['scripts/compose-check.sh'],
    missing: () => (engineAnswers() ? undefined : 'no Docker engine answers'),
  },
];

/** Runs a program to its end; its output is kept, not shown. */
function run([program, ...words], environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LONGEST_MS,
    });
    let output = '';
    const keep = (text) => {
      output += text;
      if (HANGS.test(text)) child.kill('SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => resolve({ ok: false, output: `${program}: ${error.message}\n` }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}

async function runJestOnce(words) {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-verify-'));
  const file = join(folder, 'result.json');
  const options = ['--passWithNoTests', '--json', '--outputFile', file];
  const { ok, output } = await run(node('--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...options, ...words), {
    FORCE_COLOR: '0',
  });
  const result = await readFile(file, 'utf8').then(JSON.parse, () => undefined); // jest died before it wrote one
  await rm(folder, { recursive: true, force: true });
  const files = (result?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
  const passed = result?.numPassedTests ?? 0;
  const failed = (result?.numFailedTests ?? 1) + (result?.numRuntimeErrorTestSuites ?? 0);
  // The report itself goes to stdout as one long line of JSON: people read the rest.
  const shown = output.replace(/^\{"numFailedTestSuites".*$/m, '');
  return { passed, failed: failed === 0 && !ok ? 1 : failed, files, output: shown };
}

/** Runs tests; files with a failure run once more, alone, and are named: a busy machine is no fault, a test that fails twice is. */
async function runJest(words) {
  const first = await runJestOnce(words);
  const notes = LEAK.test(first.output) ? ['a worker had to be ended'] : [];
  if (first.files.length === 0 || first.files.length > MAX_REPEATED) return { ...first, notes };
  const second = await runJestOnce(['--runInBand', '--runTestsByPath', ...first.files]);
  const names = first.files.map((name) => relative(root, name)).join(', ');
  if (second.failed > 0) return { ...first, output: `${first.output}\nOnce more:\n${second.output}`, notes };
  console.log(`${first.output.trimEnd()}\n`);
  return { passed: first.passed + first.failed, failed: 0, output: '', notes: [...notes, `passed only once more: ${names}`] };
}

async function runLayer({ command, jest: words, missing }) {
  const why = missing?.();
  if (why) return { passed: 0, failed: 0, output: '', why };
  if (words) return runJest(words);
  const { ok, output } = await run(command);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output };
}

async function timed(layer) {
  const since = Date.now();
  const result = await runLayer(layer);
  return { layer, result, seconds: (Date.now() - since) / 1000 };
}

/** Starts each layer in its turn, two at once where they only read, and gives their ends in order. */
async function* runLayers(layers) {
  const running = new Set();
  const ends = [];
  for (const layer of layers) {
    while (running.size >= (layer.reads ? 2 : 1)) await Promise.race(running);
    const end = timed(layer).finally(() => running.delete(end));
    running.add(end);
    ends.push(end);
    if (!layer.reads) yield* ends.splice(0);
  }
  yield* ends;
}

let passed = 0;
let failed = 0;
const wanted = LAYERS.filter(({ name, quick: isQuick }) => (named.length > 0 ? named.includes(name) : isQuick || !quick));
for await (const { layer, result, seconds } of runLayers(wanted)) {
  passed += result.passed;
  failed += result.failed;
  const notes = (result.notes ?? []).map((note) => ` (${note})`).join('');
  const verdict = result.why ? `not run: ${result.why}` : `${result.passed} passed, ${result.failed} failed${notes}`;
  console.log(`${layer.name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s   ${verdict}`);
  if (result.failed > 0) console.log(`\n${result.output.trimEnd()}\n`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
