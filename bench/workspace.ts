/** Measures the file tools on a large repository beside ripgrep and plain file access, in one run, in turn. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '@codelab/workspace';
import { bareRead, bareRipgrep, bareWrite } from './workspace/bare.js';
import { interleave, type Compared, type Pair } from './workspace/interleave.js';
import { NEEDLE, writeLargeRepository } from './workspace/large-repository.js';

const FILES = Number(process.env['BENCH_FILES'] ?? '100000');
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? '15');
const MEGABYTE = 1024 * 1024;

const base = await mkdtemp(join(tmpdir(), 'codelab-bench-'));
const root = join(base, 'repository');
let calls = 0;

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const row = ({ name, ours, bare, peakBytes }: Compared): string =>
  `| ${[name, ms(ours), ms(bare), `${(ours / bare).toFixed(2)} ×`, `${String(Math.round(peakBytes / MEGABYTE))} MB`].join(' | ')} |`;

try {
  await mkdir(root);
  writeLargeRepository(root, FILES);
  const workspace = await openWorkspace({ root, dataDir: join(base, 'data') });
  const run = async (tool: string, args: Record<string, string | number | boolean>): Promise<void> => {
    calls += 1;
    const answer = await workspace.run(tool, args, { signal: new AbortController().signal, callId: `call_${String(calls)}` });
    if (!answer.ok) throw new Error(answer.error.message);
  };
  const content = `${'x'.repeat(63)}\n`.repeat(MEGABYTE / 64);
  const [ours, bare] = [join(root, 'ours.txt'), join(root, 'bare.txt')];
  const pairs: readonly Pair[] = [
    {
      name: `list_files, the first 10,000 of ${String(FILES)} files / rg --files`,
      ours: () => run('list_files', { recursive: true, limit: 10_000 }),
      bare: () => bareRipgrep(root, ['--files']),
    },
    {
      name: 'list_files, a pattern over all of them / rg --files',
      ours: () => run('list_files', { recursive: true, pattern: 'file-99.ts', limit: 10_000 }),
      bare: () => bareRipgrep(root, ['--files']),
    },
    {
      name: 'search_in_project, a text in every thousandth file / rg',
      ours: () => run('search_in_project', { query: NEEDLE }),
      bare: () => bareRipgrep(root, ['--fixed-strings', '--ignore-case', '--line-number', '--column', NEEDLE]),
    },
    {
      name: 'search_in_project, a regular expression / rg',
      ours: () => run('search_in_project', { query: 'needle\\s+in\\s+\\w+', regex: true, case_sensitive: true }),
      bare: () => bareRipgrep(root, ['--line-number', '--column', 'needle\\s+in\\s+\\w+']),
    },
    {
      name: 'write_file, 1 MB / write, sync, rename, sync',
      ours: () => run('write_file', { path: 'ours.txt', content }),
      bare: () => bareWrite(bare, content),
    },
    { name: 'read_file, 1 MB / readFile', ours: () => run('read_file', { path: 'ours.txt' }), bare: () => bareRead(ours) },
  ];
  const rows = [`| the process before the first call | | | | ${String(Math.round(process.memoryUsage.rss() / MEGABYTE))} MB |`];
  for (const pair of pairs) rows.push(row(await interleave(pair, ROUNDS)));
  const table = ['| | CodeLab | bare | ratio | peak memory |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  process.stdout.write(`${table}\n`);
  const file = process.env['BENCH_OUT'];
  if (file !== undefined) await writeFile(file, `${table}\n`);
} finally {
  await rm(base, { recursive: true, force: true });
}
