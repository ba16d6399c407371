/**
 * Every check of this repository, cheapest first: `pnpm verify`, `codelab test`. `--quick` leaves out what needs Redis or a build; names of
 * layers run only those; `--force` runs what is cached, too. turbo runs the layers (turbo.json says what each of them reads) and passes over
 * one that passed with the same inputs; this file sums up. A layer that fails shows its output. The last line is `N passed, N failed`:
 * tests, and one for each layer that isn't made of tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';
import { findCodeServer, NO_CODE_SERVER } from './find-code-server.mjs';

/** Tests of one run in CI that passed only when repeated. One in thousands says nothing about what is submitted, more of them do. */
const MOST_UNSTEADY = 2;
/** Of all that failing layers print. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;
const root = fileURLToPath(new URL('..', import.meta.url));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const chromium = findChromium();
const NO_CHROMIUM = 'no Chromium was found (Debian, Ubuntu: apt-get install chromium; elsewhere set CODELAB_CHROMIUM to one)';
const quick = options.includes('--quick');

/** `task` is that of turbo.json; `tests`: it leaves a result; `missing` says why it can't run here, if so. */
const LAYERS = [
  { name: 'format', task: 'format:check', quick: true },
  { name: 'lint', task: 'lint', quick: true },
  { name: 'imports', task: 'imports', quick: true },
  { name: 'types', task: 'types', quick: true },
  { name: 'freshness', task: 'freshness', tests: true },
  { name: 'unit', task: 'unit', tests: true, quick: true },
  { name: 'integration', task: 'integration', tests: true },
  { name: 'build', task: 'built' },
  { name: 'e2e', task: 'e2e', tests: true },
  { name: 'browser', task: 'browser', tests: true, missing: () => (chromium === undefined ? NO_CHROMIUM : undefined) },
  {
    name: 'ide',
    task: 'ide',
    tests: true,
    onlyNamed: true,
    missing: () => (chromium === undefined ? NO_CHROMIUM : findCodeServer() === undefined ? NO_CODE_SERVER : undefined),
  },
  { name: 'chaos', task: 'chaos' },
  { name: 'compose', task: 'compose', missing: () => (engineAnswers() ? undefined : 'no Docker engine answers') },
];
/** What runs side by side, two at once; the others have the machine to themselves. */
const BESIDE = new Set(['format', 'lint', 'imports', 'types', 'freshness']);

const engineAnswers = () => spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
/** Tests use real programs: another version of one is another result. */
const toolchain = () =>
  ['git', 'rg', 'redis-server', 'jupyter-console', ...(chromium === undefined ? [] : [chromium])]
    .map((program) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? 'none')
    .join('');

/** Runs layers by turbo; gives what it says about each task, or its words where it could not start. */
function runTurbo(layers) {
  const runs = join(root, '.turbo/runs');
  rmSync(runs, { recursive: true, force: true });
  const words = ['run', ...layers.map(({ task }) => `//#${task}`), '--only', '--continue=always', '--concurrency=2', '--summarize'];
  const more = ['--env-mode=loose', '--output-logs=errors-only', ...(options.includes('--force') ? ['--force'] : [])];
  const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/turbo/bin/turbo', ...words, ...more], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
    env: {
      ...process.env,
      PATH: `${join(root, 'scripts/turbo-path')}${delimiter}${process.env.PATH}`,
      CODELAB_TOOLCHAIN: `${process.version} ${process.platform} ${toolchain()}`,
      TURBO_TELEMETRY_DISABLED: '1',
    },
  });
  mkdirSync(runs, { recursive: true });
  const [summary] = readdirSync(runs);
  return { tasks: summary === undefined ? [] : json(join('.turbo/runs', summary)).tasks, words: `${stdout}${stderr}` };
}

function toResult({ name, tests }, task, words) {
  const failing = { passed: 0, failed: 1, seconds: 0, notes: [], unsteady: [] };
  if (task?.execution === undefined) return { ...failing, output: words };
  const { startTime, endTime, exitCode } = task.execution;
  const notes = task.cache.status === 'HIT' ? ['unchanged since it passed'] : [];
  const seconds = (endTime - startTime) / 1000;
  // turbo keeps no log of what it does not cache
  const log = () => (task.logFile ? readFileSync(join(root, task.logFile), 'utf8') : words);
  const output = exitCode === 0 ? '' : log();
  if (!tests) return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, seconds, notes, unsteady: [], output };
  const { passed, failed, unsteady } = json(`.turbo/results/${name}.json`);
  return {
    passed,
    failed,
    seconds,
    notes,
    unsteady,
    output: unsteady.length > 0 ? log() : output,
  };
}

const wanted = LAYERS.filter(({ name, quick: isQuick, onlyNamed }) =>
  named.length > 0 ? named.includes(name) : !onlyNamed && (isQuick || !quick),
);
const beside = wanted.filter(({ name }) => BESIDE.has(name));
const waves = [...(beside.length > 0 ? [beside] : []), ...wanted.filter(({ name }) => !BESIDE.has(name)).map((layer) => [layer])];
const known = new Set(json('tests/unsteady.json'));
const found = [];
let passed = 0;
let failed = 0;
for (const wave of waves) {
  const missing = new Map(wave.map((layer) => [layer, layer.missing?.()]));
  const running = wave.filter((layer) => missing.get(layer) === undefined);
  for (const layer of running) rmSync(join(root, `.turbo/results/${layer.name}.json`), { force: true });
  const { tasks, words } = running.length > 0 ? runTurbo(running) : { tasks: [], words: '' };
  for (const layer of wave) {
    const why = missing.get(layer);
    if (why !== undefined) {
      console.log(`${layer.name.padEnd(12)} ${'0.0'.padStart(6)} s   not run: ${why}`);
      continue;
    }
    const result = toResult(
      layer,
      tasks.find(({ taskId }) => taskId === `//#${layer.task}`),
      words,
    );
    passed += result.passed;
    failed += result.failed;
    found.push(...result.unsteady);
    const notes = result.notes.map((note) => ` (${note})`).join('');
    console.log(
      `${layer.name.padEnd(12)} ${result.seconds.toFixed(1).padStart(6)} s   ${result.passed} passed, ${result.failed} failed${notes}`,
    );
    if (result.output !== '') console.log(`\n${result.output.trimEnd()}\n`);
  }
}
for (const name of found) console.log(`unsteady${known.has(name) ? ' (known)' : ''}: ${name}`);
const added = found.filter((name) => !known.has(name));
if (added.length > 0) console.log('Mend what is unsteady, or name it in tests/unsteady.json: wait for the event, not for the clock.');
if (added.length > MOST_UNSTEADY && process.env.CI) {
  failed += added.length;
  passed -= added.length;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
