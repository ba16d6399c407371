/**
 * Runs the tests of one layer, `node scripts/run-tests.mjs <layer>`, and leaves `.turbo/results/<layer>.json` for `verify.mjs`.
 * Files with a failure run once more, alone: a busy machine is no fault, a test that fails twice is. A test that passed only then is
 * unsteady, and named in the result.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_MS = 35 * 60_000;
/** Between asking the tests to end and killing what they have started. */
const GRACE_MS = 5_000;
/** What this process is told to end by. */
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** More files than these don't fail by accident. */
const MAX_REPEATED = 3;
/** Files that a result names as its slowest. */
const MOST_SLOW = 30;

/** Layers, and how many files run side by side. */
const LAYERS = {
  freshness: 1,
  unit: 2,
  integration: 4, // these wait more than they work
  e2e: 4, // half of their time is waiting, too
  browser: 2,
  ide: 1,
};

/**
 * Runs vitest to its end; its output is kept. With all that its tests have started it is a group of its own, which is ended as one where it takes too long, or
 * where this process is told to end: a test that is cut off ends nothing itself.
 */
const spawnVitest = (words) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--no-color', ...words], {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const keep = (text) => (output += text);
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const endGroup = () => {
      signalGroup(child.pid, 'SIGTERM');
      setTimeout(signalGroup, GRACE_MS, child.pid, 'SIGKILL');
    };
    const limit = setTimeout(() => {
      keep(`\nThe tests did not end within ${String(LONGEST_MS / 60_000)} minutes; they were ended with all that they had started.\n`);
      endGroup();
    }, LONGEST_MS);
    for (const signal of STOPS) process.on(signal, endGroup);
    const done = (end) => {
      clearTimeout(limit);
      for (const signal of STOPS) process.off(signal, endGroup);
      resolve(end);
    };
    child.once('error', (error) => done({ ok: false, output: `vitest: ${error.message}\n` }));
    child.once('close', (code) => done({ ok: code === 0, output }));
  });

/** Does nothing where the group has ended. */
function signalGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch {
    return;
  }
}

/** The files that took longest, in seconds: what to look at when a layer grows slow. */
const slowestOf = (testResults) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MOST_SLOW);

/** The names of the tests of a file that failed; the file itself where it did not get as far as a test. */
const failuresOf = ({ name, assertionResults }) => {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `${file}: ${fullName}`);
  return failed.length > 0 ? failed : [file];
};

/** Files whose tests have begun and not ended: their process ended before. vitest calls them passed, and runs no others in that worker. */
const unfinishedOf = (testResults) =>
  testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'pending'))
    .map(({ name }) => `${relative(root, name)}: the process of its tests ended`);

async function runTests(layer, words) {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-verify-'));
  const file = join(folder, 'result.json');
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { ok, output } = await spawnVitest(['--project', layer, '--passWithNoTests', ...reports, ...words]);
  const result = await readFile(file, 'utf8').then(JSON.parse, () => undefined); // vitest died before it wrote one
  await rm(folder, { recursive: true, force: true });
  const failedFiles = (result?.testResults ?? []).filter(({ status }) => status === 'failed');
  const unfinished = ok ? [] : unfinishedOf(result?.testResults ?? []);
  const failures = [...failedFiles.flatMap(failuresOf), ...unfinished];
  return {
    passed: result?.numPassedTests ?? 0,
    failed: failures.length === 0 && !ok ? 1 : failures.length, // nothing failed, and yet: an error that no test waited for
    isWhole: unfinished.length === 0,
    files: failedFiles.map(({ name }) => relative(root, name)),
    failures,
    slowest: slowestOf(result?.testResults ?? []),
    output,
  };
}

async function runLayer(layer) {
  const first = await runTests(layer, [`--maxWorkers=${LAYERS[layer]}`]);
  const { passed, failed, files, slowest, isWhole } = first;
  if (failed > 0) console.log([first.output.trimEnd(), 'What failed:', ...first.failures].join('\n'));
  if (files.length === 0 || files.length > MAX_REPEATED || !isWhole) return { passed, failed, unsteady: [], slowest };
  const second = await runTests(layer, ['--maxWorkers=1', ...files]);
  if (second.failed === 0) return { passed: passed + failed, failed: 0, unsteady: first.failures, slowest };
  console.log(`\nOnce more:\n${second.output.trimEnd()}`);
  return { passed, failed, unsteady: first.failures.filter((name) => !second.failures.includes(name)), slowest };
}

const [layer] = process.argv.slice(2);
const since = Date.now();
const result = await runLayer(layer);
await mkdir(join(root, '.turbo/results'), { recursive: true });
await writeFile(join(root, `.turbo/results/${layer}.json`), JSON.stringify({ ...result, seconds: (Date.now() - since) / 1000 }));
process.exitCode = result.failed === 0 ? 0 : 1;
