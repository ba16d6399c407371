import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sleepers, uniqueSleep } from '../../../test/living-processes.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';
import { openWorkspace } from '../../open-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  mkdirSync(join(temporary.root, 'src'));
});
afterEach(async () => {
  for (const sessionId of ['s1', 's2'])
    for (const shell_id of ['a', 'b']) await temporary.run('shell.restart', { shell_id }, { sessionId });
  temporary.remove();
});

type Options = NonNullable<Parameters<TemporaryWorkspace['run']>[2]>;
const exec = (
  command: string,
  options: Options & { shell_id?: string; timeout_ms?: number } = {},
): ReturnType<TemporaryWorkspace['run']> => {
  const { shell_id = 'a', timeout_ms = 20_000, ...more } = options;
  return temporary.run('shell.exec', { shell_id, command, timeout_ms }, { approved: true, sessionId: 's1', ...more });
};

test(verifies('L3:lasting-shell', 'directory, variables, functions and options carry over from command to command'), async () => {
  expect(await exec('cd src; x=5; export Y=6; f() { echo "f $x $1"; }; alias g="echo aliased"; set -f')).toMatchObject({
    ...{ exit_code: 0, stdout: '', stderr: '', timed_out: false, cwd_after: 'src' },
  });
  expect(await exec('pwd; f "$Y"; g; echo *')).toMatchObject({ stdout: `${temporary.root}/src\nf 5 6\naliased\n*\n` });
  expect(await exec('false')).toMatchObject({ exit_code: 1 });
  expect(await exec('echo "$?" err >&2; (exit 7)')).toMatchObject({ exit_code: 7, stderr: '1 err\n' });
  expect(await exec('if then')).toMatchObject({ stderr: expect.stringContaining('syntax error') });
  expect(await exec('echo "$x"; cat')).toMatchObject({ exit_code: 0, stdout: '5\n' });
  const answer = await exec('cd ../..');
  expect(answer).toMatchObject({ exit_code: 0 });
  expect(answer).toHaveProperty('cwd_after', undefined);
  expect(await exec('cd "$OLDPWD"; pwd')).toMatchObject({ cwd_after: 'src' });
});

test('what a command does to streams and descriptors it does to no other', async () => {
  expect(await exec('exec 3>&- 4>&-; echo one')).toMatchObject({ stdout: 'one\n' });
  expect(await exec('exec >out.txt; echo hidden')).toMatchObject({ stdout: '', exit_code: 0 });
  expect(await exec('exec >/dev/null 2>&1; echo quiet >&2; true')).toMatchObject({ stdout: '', stderr: '' });
  expect(temporary.read('out.txt')).toBe('hidden\n');
  expect(await exec("printf 'no end of line'", { shell_id: 'b' })).toMatchObject({ stdout: 'no end of line' });
  const much = (await exec('seq 1 200000; echo "$CODELAB_MARK" | cut -c 1-4', { shell_id: 'b' })) as { stdout: string; log: string };
  expect(much).toMatchObject({ truncated: true, exit_code: 0 });
  const { log } = (await exec('seq 1 9000', { shell_id: 'b', additions: true })) as { log?: string };
  expect(await temporary.run('read_file', { path: log!, offset: 9_000 }, { sessionId: 's1' })).toMatchObject({ content: '9000\n' });
});

test('a shell that ends is another one the next time, and says so', async () => {
  await exec('x=1');
  expect(await exec('echo bye; exit 3')).toMatchObject({ exit_code: 3, stdout: 'bye\n', ended: true });
  expect(await exec('echo "[$x]"')).toMatchObject({ stdout: '[]\n', restarted: true });
  expect(await exec('echo "[$x]"')).toMatchObject({ restarted: undefined });
  expect(await exec('set -e; false')).toMatchObject({ exit_code: 1, ended: true });
  expect(await exec('exec ls -d .')).toBe('DENIED_BY_POLICY'); // it replaces the shell
  expect(await exec('kill -9 $$')).toMatchObject({ exit_code: null, signal: 'SIGKILL', ended: true, restarted: true });
  expect(await exec('while :; do break; done; echo on; break')).toMatchObject({ stdout: 'on\n', ended: true, restarted: true });
  await temporary.run('shell.restart', { shell_id: 'a' }, { sessionId: 's1' });
  expect(await exec('true')).toMatchObject({ exit_code: 0, restarted: undefined });
  const next = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  const by = { callId: 'c', signal: new AbortController().signal, sessionId: 's1', approved: true };
  expect(await next.run('shell.exec', { shell_id: 'a', command: 'exit' }, by)).toMatchObject({ result: { restarted: true } });
});

test('too slow: it is stopped with all that it started, and so is one that is cancelled', async () => {
  const sleep = uniqueSleep();
  expect(await exec(`echo started; sleep ${sleep} & sleep ${sleep}`, { timeout_ms: 500 })).toMatchObject({
    ...{ exit_code: null, timed_out: true, stdout: 'started\n', ended: true },
  });
  expect(sleepers(sleep)).toEqual([]);
  expect(await exec('echo again')).toMatchObject({ stdout: 'again\n', restarted: true });
  const controller = new AbortController();
  const running = exec(`echo up; sleep ${sleep}`, { signal: controller.signal, onOutput: () => controller.abort() });
  expect(await running).toBe('CANCELLED');
  expect(sleepers(sleep)).toEqual([]);
});

test('a background job goes on, and ends with its shell', async () => {
  const sleep = uniqueSleep();
  await exec(`sleep ${sleep} & echo started`);
  expect(await exec('jobs -r | wc -l')).toMatchObject({ stdout: expect.stringMatching(/1\n$/) });
  expect(sleepers(sleep)).toHaveLength(1);
  await temporary.run('shell.restart', { shell_id: 'a' }, { sessionId: 's1' });
  expect(sleepers(sleep)).toEqual([]);
});

test(
  verifies('H1:lasting-shell', 'nothing runs in a lasting shell that nobody approved, nor what is never run; each session has its own'),
  async () => {
    expect(await exec('ls', { approved: false })).toBe('DENIED_BY_POLICY');
    expect(await exec('rm -rf /')).toBe('DENIED_BY_POLICY');
    await exec('x=mine');
    expect(await exec('echo "[$x]"', { sessionId: 's2' })).toMatchObject({ stdout: '[]\n', restarted: undefined });
    expect(await exec('echo "[$x]"', { shell_id: 'b' })).toMatchObject({ stdout: '[]\n' });
    await temporary.run('shell.restart', { shell_id: 'a' }, { sessionId: 's2' });
    expect(await exec('echo "[$x]"')).toMatchObject({ stdout: '[mine]\n' });
  },
);

test('an approver sees where it would run, and is bound to the code that it runs there', async () => {
  temporary.write('src/run.sh', 'echo ran');
  await exec('cd src');
  const { preview, operands } = await temporary.workspace.preview('shell.exec', { shell_id: 'a', command: 'sh run.sh' }, 's1');
  expect(preview.text).toContain('In src:');
  expect(operands).toMatchObject([{ path: 'src/run.sh' }]);
  expect(await exec('sh run.sh', { operands })).toMatchObject({ stdout: 'ran\n' });
  temporary.write('src/run.sh', 'echo other');
  expect(await exec('sh run.sh', { operands })).toBe('APPROVAL_MISMATCH');
  await exec('cd /');
  const outside = await temporary.workspace.preview('shell.exec', { shell_id: 'a', command: 'ls' }, 's1');
  expect(outside.preview.text).toContain('has left the workspace');
  await exec(`cd ${temporary.root}/src; mkdir gone; cd gone; rmdir ../gone`);
  expect(await exec('cd ..; pwd -P')).toMatchObject({ exit_code: 0 });
});

test('files that a command changes can be taken back', async () => {
  temporary.write('a', 'old');
  await temporary.workspace.run(
    'shell.exec',
    { shell_id: 'a', command: 'echo new > a' },
    { callId: 'c1', turnId: 't1', sessionId: 's1', approved: true, signal: new AbortController().signal },
  );
  expect(temporary.read('a')).toBe('new\n');
  const plan = await temporary.workspace.undo.plan('t1');
  expect(JSON.stringify(plan)).toContain('"a"');
});
