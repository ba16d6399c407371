import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sleepers, uniqueSleep } from '../../test/living-processes.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

type Options = NonNullable<Parameters<TemporaryWorkspace['run']>[2]>;
const run = (args: { command: string; cwd?: string; timeout_ms?: number }, options: Options = {}): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('run_command', args, { approved: true, ...options });
const sh = (command: string): ReturnType<TemporaryWorkspace['run']> => run({ command });

describe('a command', () => {
  test('answers what it wrote and how it ended; a failure of its own is a result', async () => {
    expect(await sh('echo out; echo err >&2; exit 3')).toEqual({
      exit_code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      duration_ms: expect.any(Number),
      timed_out: false,
      truncated: false,
    });
    expect(await sh('kill -9 $$')).toMatchObject({ exit_code: null, signal: 'SIGKILL', timed_out: false });
    expect(await sh('no-such-program')).toMatchObject({ exit_code: 127, stderr: expect.stringContaining('no-such-program') });
  });

  test('is never taken for an option of the shell, and has no input', async () => {
    expect(await sh('-x')).toMatchObject({ exit_code: 127 });
    expect(await sh('cat')).toMatchObject({ exit_code: 0, stdout: '' });
    expect(await temporary.failure('run_command', { command: 'a\0b' })).toBe('INVALID_ARGUMENTS: The command has a NUL character.');
  });

  test('each has a fresh shell', async () => {
    await sh('cd /; export LEFT=1');
    expect(await sh('pwd; echo "[$LEFT]"')).toMatchObject({ stdout: `${temporary.root}\n[]\n` });
  });

  test('its output is passed on while it runs, character by character', async () => {
    const heard: string[] = [];
    const running = run(
      { command: `printf '\\303'; sleep 0.05; printf '\\274x\\377'; until [ -e go ]; do sleep 0.02; done; echo end >&2` },
      { onOutput: (stream, data) => heard.push(`${stream} ${data}`) },
    );
    await eventually('the first output', () => heard.join('').includes('x'));
    temporary.write('go', '');
    expect(await running).toMatchObject({ stdout: 'üx\ufffd', stderr: 'end\n' });
    expect(
      heard
        .filter((each) => each.startsWith('stdout'))
        .map((each) => each.slice(7))
        .join(''),
    ).toBe('üx\ufffd');
    expect(heard).toContain('stderr end\n');
  });

  test('of each stream the first and the last 128 KiB are kept, and the middle is counted', async () => {
    const answer = await sh(`echo begin; yes ü | head -c 5000001; echo; echo end; echo small >&2`);
    expect(answer).toMatchObject({ truncated: true, stderr: 'small\n', exit_code: 0 });
    const { stdout } = answer as { stdout: string };
    expect(stdout).toMatch(/^begin\n[^]*\n… \d+ bytes left out …\n[^]*\nend\n$/);
    expect(Buffer.byteLength(stdout)).toBeLessThan(257 * 1024);
    expect(stdout.replace(/\ufffd\nend/, '')).not.toContain('\ufffd');
  });
});

describe(verifies('R2:command-tree', 'nothing that a command started outlives it, however it tried to leave'), () => {
  const escapes = (time: string): string =>
    `setsid sleep ${time} & (setsid sleep ${time} >/dev/null 2>&1 &) ; nohup sleep ${time} & env -i sleep ${time} >/dev/null & sleep ${time} &`;

  test('at its own end', async () => {
    const time = uniqueSleep();
    expect(await sh(`${escapes(time)} echo done`)).toMatchObject({ exit_code: 0, stdout: 'done\n' });
    expect(sleepers(time)).toEqual([]);
  });

  test('at its timeout, also where it does not want to end', async () => {
    const time = uniqueSleep();
    const command = `trap '' TERM; ${escapes(time)} echo begun; sleep ${time}; sleep ${time}`;
    expect(await run({ command, timeout_ms: 300 })).toMatchObject({
      timed_out: true,
      exit_code: null,
      signal: 'SIGKILL',
      stdout: 'begun\n',
    });
    expect(sleepers(time)).toEqual([]);
  });

  test('when it is cancelled', async () => {
    const time = uniqueSleep();
    const stop = new AbortController();
    const running = run({ command: `${escapes(time)} kill -STOP $$` }, { signal: stop.signal });
    await eventually('its processes', () => sleepers(time).length === 5);
    stop.abort();
    expect(await running).toBe('CANCELLED');
    expect(sleepers(time)).toEqual([]);
  });

  test('one that starts others without end', async () => {
    const time = uniqueSleep();
    expect(await run({ command: `while :; do setsid sleep ${time} & sleep 0.01; done`, timeout_ms: 300 })).toMatchObject({
      timed_out: true,
    });
    expect(sleepers(time)).toEqual([]);
  });
});

test('a cancelled call does not begin', async () => {
  expect(await run({ command: 'touch begun' }, { signal: AbortSignal.abort() })).toBe('CANCELLED');
  expect(existsSync(join(temporary.root, 'begun'))).toBe(false);
});

describe(verifies('W1:command-directory', 'a command runs in the workspace, in the very directory that was found'), () => {
  test('by its path, and by links that stay inside', async () => {
    mkdirSync(join(temporary.root, 'a b/c'), { recursive: true });
    symlinkSync('a b', join(temporary.root, 'link'));
    expect(await run({ command: 'pwd', cwd: 'a b/c' })).toMatchObject({ stdout: `${temporary.root}/a b/c\n` });
    expect(await run({ command: 'pwd', cwd: 'link/c' })).toMatchObject({ stdout: `${temporary.root}/a b/c\n` });
  });

  test('and nowhere else', async () => {
    symlinkSync(temporary.outside, join(temporary.root, 'out'));
    symlinkSync('nothing', join(temporary.root, 'dangling'));
    temporary.write('file', '');
    for (const [cwd, code] of [
      ['out', 'PATH_OUTSIDE_WORKSPACE'],
      ['..', 'PATH_OUTSIDE_WORKSPACE'],
      ['/', 'PATH_OUTSIDE_WORKSPACE'],
      ['dangling', 'FILE_NOT_FOUND'],
      ['missing', 'FILE_NOT_FOUND'],
      ['file', 'INVALID_PATH'],
    ] as const)
      expect([cwd, await run({ command: 'pwd', cwd })]).toEqual([cwd, code]);
  });

  test('also if its name is swapped for a link while it starts', async () => {
    mkdirSync(join(temporary.root, 'sub'));
    let swapped = false;
    const swap = setInterval(() => {
      if (swapped) return;
      renameSync(join(temporary.root, 'sub'), join(temporary.root, 'old'));
      symlinkSync(temporary.outside, join(temporary.root, 'sub'));
      swapped = true;
    }, 1);
    const answers = await Promise.all(Array.from({ length: 4 }, () => run({ command: 'ls', cwd: 'sub' })));
    clearInterval(swap);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });
});

test(
  verifies('H1:command-environment', 'a command gets no key of ours, no shell file and no program of the workspace by its name'),
  async () => {
    temporary.write('evil/ls', '#!/bin/sh\necho evil');
    const set: Record<string, string> = {
      ...{ CODELAB_TOKENS: 'SECRET', OPENAI_API_KEY: 'SECRET', ANTHROPIC_API_KEY: 'SECRET', MY_OWN: 'mine', FORCE_COLOR: '3' },
      ...{
        BASH_ENV: join(temporary.root, 'evil/ls'),
        CDPATH: '/etc',
        GIT_DIR: '/nowhere',
        PATH: `${temporary.root}/evil:${process.env['PATH'] ?? ''}`,
      },
    };
    const before = { ...process.env };
    Object.assign(process.env, set);
    const answer = (await sh('env')) as { stdout: string };
    for (const name of Object.keys(set)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    const lines = answer.stdout.split('\n');
    expect(lines).toEqual(expect.arrayContaining(['MY_OWN=mine', 'TERM=dumb', 'PAGER=cat', 'GIT_TERMINAL_PROMPT=0', 'NO_COLOR=1']));
    expect(answer.stdout).not.toMatch(/SECRET|BASH_ENV|CDPATH|GIT_DIR|FORCE_COLOR|evil/);
  },
);
