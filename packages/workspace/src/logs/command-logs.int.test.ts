import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace } from '../open-workspace.js';
import { CommandLogs } from './command-logs.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const MINE = { sessionId: 's1', additions: true, approved: true } as const;
interface Ran {
  readonly stdout: string;
  readonly truncated: boolean;
  readonly log?: string;
}
const sh = async (command: string, by: object = MINE): Promise<Ran> =>
  (await temporary.run('run_command', { command }, by)) as unknown as Ran;
const read = (path: string, args: object = {}, by: object = MINE): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('read_file', { path, ...args }, by);
const logFiles = (): string[] =>
  readdirSync(temporary.dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => /logs\/[0-9a-f]+\/[^/]+$/.test(name));

describe('the whole output of a command', () => {
  test(verifies('L3:logs', 'a long output is kept whole beside the result, and read and searched by lines'), async () => {
    expect(await sh('echo short')).toHaveProperty('log', undefined);
    const { log, truncated } = await sh('seq 1 300000; echo oops >&2; echo end');
    expect(truncated).toBe(true);
    expect(log).toMatch(/^codelab-log:\/call_\d+\.txt$/);
    expect(await read(log!, { offset: 150_000, limit: 2 })).toMatchObject({
      ...{ content: '150000\n150001\n', lines_total: 300_002, truncated: true },
    });
    expect(await read(log!)).toBe('FILE_TOO_LARGE');
    const search = { query: '^(299999|oops)$', regex: true, path: log!, mode: 'matches' };
    expect(await temporary.run('search_in_project', search, MINE)).toMatchObject({
      ...{ matches: [{ path: log, line: 299_999, text: '299999' }, { text: 'oops' }], total: 2 },
    });
    expect(temporary.snapshot()).toEqual({});
    const next = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
    const again = await next.run(
      'read_file',
      { path: log!, limit: 1 },
      { callId: 'c', signal: new AbortController().signal, sessionId: 's1' },
    );
    expect(again).toMatchObject({ ok: true, result: { content: '1\n' } });
  });

  test('what is more than 16 KiB has one, and of what is more than 16 MiB the middle is left out', async () => {
    expect(await sh('head -c 16384 /dev/zero | tr "\\0" x')).toHaveProperty('log', undefined);
    const { log: small } = await sh('head -c 16385 /dev/zero | tr "\\0" x');
    expect(await read(small!)).toMatchObject({ content: 'x'.repeat(16_385) });
    const { log } = await sh('yes "ä line of output" | head -c 40000000; echo; echo end');
    const size = statSync(
      join(
        temporary.dataDir,
        logFiles().find((name) => name.endsWith(log!.slice('codelab-log:/'.length)))!,
      ),
    ).size;
    expect(size).toBeGreaterThan(12 * 1024 * 1024);
    expect(size).toBeLessThan(17 * 1024 * 1024);
    expect(logFiles()).toHaveLength(2);
    expect(await temporary.run('search_in_project', { query: 'bytes left out', path: log! }, MINE)).toMatchObject({
      matches: [{ text: expect.stringMatching(/^… \d+ bytes left out …$/) }],
    });
    const { lines_total: total } = (await read(log!, { limit: 1 })) as { lines_total: number };
    expect(await read(log!, { offset: total, limit: 1 })).toMatchObject({ content: 'end\n', truncated: false });
  });

  test('what is no text is shown as far as it is', async () => {
    const { log } = await sh(`printf 'a\\0b\\377c\\n'; seq 1 9000`);
    expect(await read(log!, { limit: 1 })).toMatchObject({ content: 'a\ufffdb\ufffdc\n' });
  });
});

test(verifies('S1:logs', 'a log is read by its session alone, and no path or link leads from it to anything else'), async () => {
  const { log } = await sh('seq 1 9000');
  expect(await read(log!, { limit: 1 })).toMatchObject({ content: '1\n' });
  for (const by of [{ ...MINE, sessionId: 's2' }, { additions: true }]) {
    expect(await read(log!, {}, by)).toBe('FILE_NOT_FOUND');
    expect(await temporary.run('search_in_project', { query: '1', path: log! }, by)).toBe('FILE_NOT_FOUND');
  }
  const [file] = logFiles();
  const [at, name] = [join(temporary.dataDir, file!, '..'), log!.slice('codelab-log:/'.length)];
  const strange = ['codelab-log:/', `codelab-log:${name}`, `codelab-log://${name}`, `codelab-log:/../${name}`, `codelab-log:/x/../${name}`];
  for (const path of [
    ...strange,
    `codelab-log:/${name}/`,
    `codelab-log:/${name}\0`,
    'codelab-log:/../../../etc/passwd',
    `CODELAB-LOG:/${name}`,
  ])
    expect(await read(path)).toMatch(/FILE_NOT_FOUND|INVALID_PATH|PATH_OUTSIDE/);
  symlinkSync(join(temporary.outside, 'secret.txt'), join(at, 'call_link.txt'));
  expect(await read('codelab-log:/call_link.txt')).toBe('FILE_NOT_FOUND');
  mkdirSync(join(at, 'call_dir.txt'));
  expect(await read('codelab-log:/call_dir.txt')).toBe('FILE_NOT_FOUND');
  for (const [tool, args] of Object.entries({
    write_file: { path: log!, content: 'x' },
    delete_file: { path: log! },
    move_file: { from: log!, to: 'a' },
    list_files: { path: 'codelab-log:' },
    create_directory: { path: 'codelab-log:/x' },
    run_command: { command: 'pwd', cwd: 'codelab-log:' },
  }))
    expect([tool, await temporary.run(tool, args, MINE)]).toEqual([tool, 'INVALID_PATH']);
  expect(temporary.snapshot()).toEqual({});
  const other = await temporaryWorkspace();
  try {
    expect(await other.run('read_file', { path: log! }, MINE)).toBe('FILE_NOT_FOUND');
  } finally {
    other.remove();
  }
});

test('logs go after a week, and the oldest when there is too much of them', async () => {
  const directory = join(temporary.dataDir, 'l');
  const logs = new CommandLogs(directory);
  mkdirSync(join(directory, 'session'), { recursive: true });
  const day = 24 * 60 * 60;
  for (const [name, age] of [
    ['new', 0],
    ['week', 6 * day],
    ['old', 8 * day],
  ] as const) {
    writeFileSync(join(directory, 'session', `${name}.txt`), '');
    utimesSync(join(directory, 'session', `${name}.txt`), 0, Date.now() / 1_000 - age);
  }
  await logs.prune();
  expect(readdirSync(join(directory, 'session')).sort()).toEqual(['new.txt', 'week.txt']);
  writeFileSync(join(directory, 'session', 'large.txt'), '');
  truncateSync(join(directory, 'session', 'large.txt'), 201 * 1024 * 1024);
  utimesSync(join(directory, 'session', 'large.txt'), 0, Date.now() / 1_000 - day);
  await logs.prune();
  expect(readdirSync(join(directory, 'session'))).toEqual(['new.txt']);
});

test('a log that cannot be written costs the command nothing', async () => {
  await sh('seq 1 9000');
  const logs = join(temporary.dataDir, logFiles()[0]!, '..', '..');
  renameSync(logs, `${logs}.away`);
  writeFileSync(logs, '');
  const answer = await sh('seq 1 9000');
  expect(answer.stdout).toMatch(/9000\n$/);
  expect(answer).toHaveProperty('log', undefined);
});
