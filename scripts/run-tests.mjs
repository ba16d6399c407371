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
const LONGEST_MS = 20 * 60_000;
/** More files than these don't fail by accident. */
const MAX_REPEATED = 3;
/** Files that a result names as its slowest. */
const MOST_SLOW = 30;
/** What jest says about a test file that left something running. */
const LEAK = /failed to exit gracefully|did not exit one second after/;
/** It would wait for that for ever. */
const HANGS = /did not exit one second after/;

const LAYERS = {
  freshness: ['--runInBand', '--testPathPatterns', '/tests/architecture/'],
  unit: [
    '--maxWorkers=2',
    '--testPathIgnorePatterns',
    '/node_modules/',
    '/dist/',
    '/tests/architecture/',
    '\\.(int|e2e|browser|ide)\\.test\\.ts$',
  ],
  integration: ['--maxWorkers=3', '--testPathPatterns', '\\.int\\.test\\.ts$'], // these wait more than they work
  e2e: ['--maxWorkers=2', '--testPathPatterns', '\\.e2e\\.test\\.ts$'],
  browser: ['--maxWorkers=2', '--testPathPatterns', '\\.browser\\.test\\.ts$'],
  ide: ['--runInBand', '--testPathPatterns', '\\.ide\\.test\\.ts$'],
};

/** Runs jest to its end; its output is kept. */
const spawnJest = (words) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...words], {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: '0' },
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
    child.once('error', (error) => resolve({ ok: false, output: `jest: ${error.message}\n` }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });

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

async function runJest(words) {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-verify-'));
  const file = join(folder, 'result.json');
  const { ok, output } = await spawnJest(['--passWithNoTests', '--json', '--outputFile', file, ...words]);
  const result = await readFile(file, 'utf8').then(JSON.parse, () => undefined); // jest died before it wrote one
  await rm(folder, { recursive: true, force: true });
  const failedFiles = (result?.testResults ?? []).filter(({ status }) => status === 'failed');
  const failed = (result?.numFailedTests ?? 1) + (result?.numRuntimeErrorTestSuites ?? 0);
  return {
    passed: result?.numPassedTests ?? 0,
    failed: failed === 0 && !ok ? 1 : failed,
    files: failedFiles.map(({ name }) => name),
    failures: failedFiles.flatMap(failuresOf),
    slowest: slowestOf(result?.testResults ?? []),
    output: output.replace(/^\{"numFailedTestSuites".*$/m, ''), // the report itself, which goes to stdout as one long line
  };
}

async function runLayer(words) {
  const first = await runJest(words);
  const leaks = LEAK.test(first.output);
  const { passed, failed, files, slowest } = first;
  if (failed > 0) console.log(first.output.trimEnd());
  if (files.length === 0 || files.length > MAX_REPEATED) return { passed, failed, leaks, unsteady: [], slowest };
  const second = await runJest(['--runInBand', '--runTestsByPath', ...files]);
  if (second.failed === 0) return { passed: passed + failed, failed: 0, leaks, unsteady: first.failures, slowest };
  console.log(`\nOnce more:\n${second.output.trimEnd()}`);
  return { passed, failed, leaks, unsteady: first.failures.filter((name) => !second.failures.includes(name)), slowest };
}

const [layer] = process.argv.slice(2);
const since = Date.now();
const result = await runLayer(LAYERS[layer]);
await mkdir(join(root, '.turbo/results'), { recursive: true });
await writeFile(join(root, `.turbo/results/${layer}.json`), JSON.stringify({ ...result, seconds: (Date.now() - since) / 1000 }));
process.exitCode = result.failed === 0 ? 0 : 1;
