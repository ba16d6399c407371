import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { ResultOf } from '@codelab/tools';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleepers, uniqueSleep } from '../../test/living-processes.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { findWorkspaceRoot } from '../files/paths/workspace-root.js';
import { openWorkspace, type Workspace } from '../open-workspace.js';
import { BackgroundProcesses } from '../processes/background/background-processes.js';
import { Commands } from '../processes/commands.js';

interface Status {
  readonly status: string;
  readonly pid: number;
  readonly output: string;
  readonly offset: number;
  readonly next_offset: number;
  readonly exit_code?: number | null;
}

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(async () => {
  const listed = await temporary.run('run_persistent', { action: 'list' });
  for (const { process_id } of (listed as ResultOf<'run_persistent'>).processes!)
    await temporary.run('kill_process', { process_id: process_id! });
  await eventually('no supervisor is left', () => supervisors().length === 0);
  temporary.remove();
});

/** Supervisors of this test, by the directory that they run in. */
const supervisors = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isSupervisor = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('supervise.mjs');
        return isSupervisor && readlinkSync(`/proc/${pid}/cwd`).startsWith(temporary.root);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);

const start = (process_id: string, command: string, more: { cwd?: string; approved?: boolean } = {}): Promise<Status> => {
  const { approved = true, ...args } = more;
  return temporary.run('run_persistent', { process_id, command, ...args }, { approved }) as Promise<unknown> as Promise<Status>;
};
const status = (process_id: string, offset = 0): Promise<Status> =>
  temporary.run('run_persistent', { process_id, action: 'status', offset }) as Promise<unknown> as Promise<Status>;
const kill = (process_id: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('kill_process', { process_id });
const untilEnded = (name: string): Promise<Status> =>
  eventually(`${name} has ended`, async () => {
    const now = await status(name);
    return now.status === 'running' ? undefined : now;
  });

test('a process goes on after its call, and is looked at and ended by its name', async () => {
  const time = uniqueSleep();
  const begun = await start('dev', `echo listening; sleep ${time}; echo never`);
  expect(begun).toMatchObject({
    process_id: 'dev',
    status: 'running',
    pid: expect.any(Number),
    started_at_ms: expect.any(Number),
    offset: 0,
  });
  await eventually('its output', async () => (await status('dev')).output === 'listening\n');
  expect(await status('dev', 4)).toMatchObject({ output: 'ening\n', offset: 4, next_offset: 10 });
  expect(await status('dev', 10)).toMatchObject({ output: '', offset: 10, next_offset: 10 });
  expect(await temporary.run('run_persistent', { action: 'list' })).toEqual({
    processes: [expect.objectContaining({ process_id: 'dev', status: 'running', command: `echo listening; sleep ${time}; echo never` })],
  });
  expect(await kill('dev')).toEqual({ success: true, process_id: 'dev', status: 'killed', exit_code: null, signal: 'SIGTERM' });
  expect(sleepers(time)).toEqual([]);
  expect(await status('dev')).toMatchObject({ status: 'killed', output: 'listening\n' });
});

test('one that ends by itself is told with its exit code, and its name is free again', async () => {
  await start('build', 'echo failed >&2; exit 3');
  expect(await untilEnded('build')).toMatchObject({ status: 'exited', exit_code: 3, output: 'failed\n' });
  expect(await kill('build')).toEqual({ success: true, process_id: 'build', status: 'exited', exit_code: 3 });
  await start('build', 'echo again');
  expect(await untilEnded('build')).toMatchObject({ status: 'exited', exit_code: 0, output: 'again\n' });
});

test('a name that runs is a conflict; an unknown one is told with those that there are', async () => {
  const time = uniqueSleep();
  await start('dev', `sleep ${time}`);
  expect(await start('dev', 'true')).toBe('CONFLICT');
  expect(await kill('other')).toBe('INVALID_ARGUMENTS');
  expect(await temporary.failure('kill_process', { process_id: 'other' })).toBe(
    'INVALID_ARGUMENTS: There is no process other of this workspace; there are: dev.',
  );
  expect(await temporary.run('run_persistent', { action: 'status' })).toBe('INVALID_ARGUMENTS');
  expect(await temporary.run('run_persistent', { process_id: 'x' })).toBe('INVALID_ARGUMENTS');
  expect(await temporary.run('run_persistent', { process_id: '../x', command: 'ls' })).toBe('INVALID_ARGUMENTS');
  expect(await start('..', 'echo dots')).toMatchObject({ process_id: '..' });
  expect(sleepers(time)).toHaveLength(1);
});

test(verifies('H1:persistent-asks', 'a process that nobody approved is not started; looking needs nobody'), async () => {
  expect(await start('dev', 'touch begun; sleep 1', { approved: false })).toBe('DENIED_BY_POLICY');
  expect(await temporary.run('run_persistent', { action: 'list' })).toEqual({ processes: [] });
  expect(await start('dev', 'pwd', { cwd: '../outside' })).toBe('PATH_OUTSIDE_WORKSPACE');
});

describe(verifies('R2:survivors', 'processes outlive the client, and the next one knows them'), () => {
  const reopen = (): Promise<Workspace> => openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  const ask = async (workspace: Workspace, tool: string, args: Record<string, string>): Promise<unknown> => {
    const outcome = await workspace.run(tool, args, { signal: new AbortController().signal, callId: 'c' });
    return outcome.ok ? outcome.result : outcome.error;
  };

  test('one that runs, with all of its output', async () => {
    const time = uniqueSleep();
    await start('dev', `echo one; sleep ${time}`);
    const next = await reopen();
    expect(await ask(next, 'run_persistent', { action: 'status', process_id: 'dev' })).toMatchObject({ status: 'running' });
    expect(await ask(next, 'kill_process', { process_id: 'dev' })).toMatchObject({ status: 'killed' });
    expect(sleepers(time)).toEqual([]);
  });

  test('one whose supervisor was killed runs on, and is lost when it ends', async () => {
    const time = uniqueSleep();
    await start('dev', `sleep ${time}`);
    for (const pid of supervisors()) process.kill(pid, 'SIGKILL');
    await eventually('its end', () => supervisors().length === 0);
    expect(await status('dev')).toMatchObject({ status: 'running' });
    for (const pid of sleepers(time)) process.kill(pid, 'SIGKILL');
    expect(await untilEnded('dev')).toMatchObject({ status: 'lost' });
    expect(await kill('dev')).toMatchObject({ status: 'lost' });
  });

  test('a recycled pid is neither shown as running nor killed', async () => {
    await start('old', 'true');
    await untilEnded('old');
    const time = uniqueSleep();
    const bystander = await start('bystander', `sleep ${time}`);
    const [directory] = readdirSync(join(temporary.dataDir, 'workspaces')).map((name) =>
      join(temporary.dataDir, 'workspaces', name, 'processes'),
    );
    const records = readdirSync(directory!).map((name) => join(directory!, name, 'process.json'));
    for (const path of records) {
      const record = JSON.parse(readFileSync(path, 'utf8')) as { processId: string; leader: object; supervisor: object };
      if (record.processId !== 'old') continue;
      const recycled = { ...record.leader, pid: bystander.pid };
      writeFileSync(path, JSON.stringify({ ...record, leader: recycled, supervisor: recycled }));
      writeFileSync(join(path, '../exit.json'), '');
    }
    expect(await status('old')).toMatchObject({ status: 'lost' });
    expect(await kill('old')).toMatchObject({ status: 'lost' });
    expect(await status('bystander')).toMatchObject({ status: 'running' });
    expect(sleepers(time)).toHaveLength(1);
  });
});

test('kill_process ends what left the process, and one that does not want to', async () => {
  const time = uniqueSleep();
  await start('dev', `trap '' TERM; setsid sleep ${time} >/dev/null & (setsid sleep ${time} &); while :; do sleep ${time}; done`);
  await eventually('its processes', () => sleepers(time).length === 3);
  expect(await kill('dev')).toMatchObject({ status: 'killed', signal: 'SIGKILL' });
  expect(sleepers(time)).toEqual([]);
});

test('of a long output the last megabytes are kept, by their place in the whole', async () => {
  await start('noisy', `head -c 20000000 /dev/zero | tr '\\0' x; printf 'üend'`);
  const ended = await untilEnded('noisy');
  expect(ended.offset).toBeGreaterThan(20_000_000 - 9 * 1024 * 1024);
  expect(ended.output).toHaveLength(64 * 1024);
  expect(await status('noisy', 20_000_000 - 3)).toMatchObject({ output: 'xxxüend', offset: 20_000_000 - 3, next_offset: 20_000_005 });
  expect(await status('noisy', 20_000_001)).toMatchObject({ next_offset: 20_000_005 });
  expect(await status('noisy', 30_000_000)).toMatchObject({ output: '', offset: 30_000_000, next_offset: 30_000_000 });
});

test('more than the limit do not run at once, and all can be ended', async () => {
  const time = uniqueSleep();
  const commands = new Commands(await findWorkspaceRoot(temporary.root, temporary.dataDir));
  const processes = new BackgroundProcesses(commands, join(temporary.dataDir, 'few'), 2);
  const order = { command: `echo up; sleep ${time}`, approved: true, signal: new AbortController().signal };
  await processes.start('one', order);
  await processes.start('two', order);
  await expect(processes.start('three', order)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: '2 processes run, at most 2 may; end one with kill_process.',
  });
  for (const { process_id } of await processes.list()) await processes.end(process_id!);
  expect(sleepers(time)).toEqual([]);
  expect(await processes.start('three', { ...order, command: 'true' })).toMatchObject({ process_id: 'three' });
  await eventually('its end', async () => (await processes.status('three', 0))['status'] === 'exited');
});

test(
  verifies('S1:process-output', 'a session reads what its own processes wrote, by bytes, also with the next client, and nothing of others'),
  async () => {
    const [sessionId, other] = ['s1', 's2'];
    const command = `printf 'one\\n'; printf 'zwölf'; read x < gate; echo done; exit 3`;
    execFileSync('mkfifo', [join(temporary.root, 'gate')]);
    await temporary.run('run_persistent', { process_id: 'p', command }, { approved: true, sessionId });
    const output = (args: object = {}, by: object = { sessionId }, workspace = temporary.workspace): Promise<unknown> =>
      workspace
        .run('process.output', { process_id: 'p', ...args }, { callId: 'c', signal: new AbortController().signal, ...by })
        .then((answer) => (answer.ok ? answer.result : answer.error.message));
    await eventually('both lines', async () => ((await output()) as { data: string }).data.endsWith('ölf'));
    expect(await output()).toEqual({ data: 'one\nzwölf', first_offset: 0, next_offset: 10, state: 'running' });
    expect(await output({ offset: 4, limit: 3 })).toEqual({ data: 'zw', first_offset: 4, next_offset: 6, state: 'running' });
    expect(await output({ offset: 10 })).toEqual({ data: '', first_offset: 10, next_offset: 10, state: 'running' });
    for (const by of [{ sessionId: other }, {}])
      expect(await output({}, by)).toBe('There is no process p of this session; there are none.');
    expect(await output({ process_id: 'q' })).toBe('There is no process q of this session; there are: p.');
    writeFileSync(join(temporary.root, 'gate'), '\n');
    await untilEnded('p');
    const next = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
    expect(await output({ offset: 10 }, { sessionId }, next)).toEqual({
      ...{ data: 'done\n', first_offset: 10, next_offset: 15, state: 'exited', exit_code: 3 },
    });
    expect(await output({ offset: 15 })).toMatchObject({ data: '', state: 'exited', exit_code: 3 });
  },
);

test('a session can wait for the end of a process, or for so much output, and no longer than it says', async () => {
  const sessionId = 's1';
  execFileSync('mkfifo', [join(temporary.root, 'gate')]);
  await temporary.run('run_persistent', { process_id: 'p', command: 'echo up; read x < gate; echo down' }, { approved: true, sessionId });
  const output = (args: object, signal?: AbortSignal): ReturnType<TemporaryWorkspace['run']> =>
    temporary.run('process.output', { process_id: 'p', ...args }, { sessionId, ...(signal && { signal }) });
  expect(await output({ offset: 3, wait_ms: 200 })).toMatchObject({ data: '', state: 'running' });
  expect(await output({ limit: 3, wait_ms: 30_000 })).toMatchObject({ data: 'up\n' });
  expect(await output({ offset: 3, wait_ms: 30_000 }, AbortSignal.timeout(50))).toBe('CANCELLED');
  const waiting = output({ offset: 3, wait_ms: 30_000 });
  writeFileSync(join(temporary.root, 'gate'), '\n');
  expect(await waiting).toMatchObject({ data: 'down\n', state: 'exited', exit_code: 0 });
  expect(await output({ offset: 8, wait_ms: 30_000 })).toMatchObject({ data: '', state: 'exited' });
});
