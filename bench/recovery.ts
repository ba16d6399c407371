/** Measures how long clients wait after each kind of kill. RECOVERY_ROUNDS kills of each kind; RECOVERY_REPORT names a folder for a page of it. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describeMachine, duration, measureRecovery, presentCommit, quantile, writeReport } from '@codelab/chaos';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.env['RECOVERY_ROUNDS'] ?? '4');
const loadBefore = loadavg()[0] ?? 0;
const startedAt = new Date();
const began = performance.now();

process.stdout.write('| after | samples | p50 | p99 | aim |\n| --- | --- | --- | --- | --- |\n');
const recovery = await measureRecovery({
  ...{ root, rounds, only: process.env['RECOVERY_ONLY'] ?? '' },
  onSeries: ({ name, samples, aimMs }) => {
    const [p50, p99] = [0.5, 0.99].map((share) => duration(quantile(samples, share)));
    process.stdout.write(`| ${name} | ${String(samples.length)} | ${p50} | ${p99} | ${aimMs === undefined ? '' : duration(aimMs)} |\n`);
  },
});
const machine = describeMachine();
const commit = await presentCommit(root);
const loads = `load ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after, which is ours`;
const took = `${String(Math.round((performance.now() - began) / 1000))} s`;
process.stdout.write(`\n${machine}\n${loads}, ${took}, commit ${commit ?? 'unknown'}\n`);
const folder = process.env['RECOVERY_REPORT'];
if (folder !== undefined) {
  const command = `RECOVERY_ROUNDS=${String(rounds)} codelab bench recovery`;
  const data = { command, machine, startedAt, tookMs: performance.now() - began, seeds: [], failures: [], recovery, commit };
  process.stdout.write(`${await writeReport(folder, data)}\n`);
}
