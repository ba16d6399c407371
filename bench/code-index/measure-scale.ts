import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodeIndex } from '@codelab/workspace';
import { percentile } from '../measure/percentile.js';
import { sample, seeded } from './random.js';
import { writeTree } from './write-tree.js';

const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const SEED = 7;
const MEGABYTE = 1024 * 1024;
const EDITS = 20;
const SEARCHES = 100;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const residentMb = (): number => process.memoryUsage().rss / MEGABYTE;

/** What an index of so many files takes: time, room, memory; a search right after an edit, and other searches. */
export async function measureScale(files: number): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), 'codelab-scale-'));
  const root = join(base, 'ws');
  mkdirSync(root);
  try {
    writeTree(root, files, SEED);
    const before = residentMb();
    const index = new CodeIndex({ root, dataDir: join(base, 'data'), directory: join(base, 'data', 'index') });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentMb())), 50);
    const startedCpu = process.cpuUsage();
    const built = await timed(() => index.update(3_600_000));
    const { user, system } = process.cpuUsage(startedCpu);
    clearInterval(watch);
    const { bytes, chunks } = await index.status();
    const random = seeded(SEED + 1);
    const pathOf = (file: number): string =>
      `area${String(file % 40)}/part${String(Math.floor(file / 40) % 50)}/file${String(file)}.${['ts', 'py', 'go', 'java'][file % 4]!}`;
    const edits: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const path = pathOf(Math.floor(random() * files));
      appendFileSync(join(root, path), `\n// edited ${String(edit)}\n`);
      index.touch([path]);
      edits.push(await timed(() => index.search(`edited ${String(edit)}`, 1)));
    }
    const queries = sample(
      Array.from(
        { length: SEARCHES },
        () => readFileSync(join(root, pathOf(Math.floor(random() * files))), 'utf8').match(/[A-Z]\w+ the .*?\./)?.[0] ?? 'order',
      ),
      SEARCHES,
      SEED,
    );
    const searches: number[] = [];
    const usedBefore = process.cpuUsage();
    for (const query of queries) searches.push(await timed(() => index.search(query, 10)));
    const used = process.cpuUsage(usedBefore);
    const cpu = (used.user + used.system) / 1_000 / SEARCHES;
    const walk = await timed(async () => {
      index.touch();
      await index.update(60_000);
    });
    const map = await timed(() => index.map('', 4_000));
    await index.close();
    const again = new CodeIndex({ root, dataDir: join(base, 'data'), directory: join(base, 'data', 'index') });
    const reopened = await timed(() => again.update(600_000));
    await again.close();
    tell(
      `${String(files)} files: built in ${(built / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU time), ${String(chunks)} places, ${(bytes / MEGABYTE).toFixed(0)} MB on the disk, ` +
        `memory +${(most - before).toFixed(0)} MB; after an edit ${ms(percentile(edits, 0.5))} (p95 ${ms(percentile(edits, 0.95))}); ` +
        `search ${ms(percentile(searches, 0.5))} (p95 ${ms(percentile(searches, 0.95))}, ${ms(cpu)} of CPU time); whole walk ${ms(walk)}; map ${ms(map)}; opened again ${ms(reopened)}`,
    );
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
