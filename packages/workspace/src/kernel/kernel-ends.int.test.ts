import { afterEach, beforeEach, expect } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernelPython, withKernel } from '../../test/has-kernel.js';
import { sleepers, uniqueSleep } from '../../test/living-processes.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace } from '../open-workspace.js';
import { SessionMemory } from '../processes/lasting/session-memory.js';
import { Kernels } from './kernels.js';

const HERE = import.meta.dirname;
const REPOSITORY = join(HERE, '../../../..');

let temporary: TemporaryWorkspace;
let children: ChildProcess[] = [];
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await temporary.workspace.kernels.close();
  temporary.remove();
});

const start = (code: string, ...more: readonly string[]): ChildProcess => {
  const program = [join(REPOSITORY, 'scripts/register-swc.mjs'), join(HERE, '../../test/run-cell-and-wait.ts')];
  const args = ['--conditions=codelab-source', '--import', program[0]!, program[1]!, temporary.root, temporary.dataDir, code, ...more];
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
};
const isLiving = (pid: number): boolean =>
  existsSync(`/proc/${String(pid)}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
const pidOf = (text: string): number => Number(/"text":"(\d+)"/.exec(text)![1]);

withKernel(
  verifies('L3:kernel-ends', 'a client that ends, or is killed, leaves no kernel and nothing that a cell has started'),
  async () => {
    const seconds = uniqueSleep();
    const code = `import os, subprocess\nsubprocess.Popen(["sleep", "${seconds}"])\nos.getpid()`;
    const killed = start(code);
    const [said] = (await once(killed.stdout!, 'data')) as [Buffer];
    const pid = pidOf(said.toString());
    expect([isLiving(pid), sleepers(seconds).length]).toEqual([true, 1]);
    killed.kill('SIGKILL');
    await eventually('the end of the kernel', () => !isLiving(pid) && sleepers(seconds).length === 0);

    const ends = start(code, 'end');
    const [[other], [exitCode]] = (await Promise.all([once(ends.stdout!, 'data'), once(ends, 'exit')])) as [[Buffer], [number]];
    expect(exitCode).toBe(0);
    await eventually('the end of the other', () => !isLiving(pidOf(other.toString())) && sleepers(seconds).length === 0);
  },
);

withKernel('a kernel whose bridge is killed is gone, and what it started', async () => {
  const seconds = uniqueSleep();
  const run = (code: string): Promise<unknown> => temporary.run('kernel.execute', { code }, { approved: true, sessionId: 's' });
  const cell = run(
    `import os, subprocess\nsubprocess.Popen(["sleep", "${seconds}"])\nos.kill(os.getppid(), 9)\nimport time\ntime.sleep(60)`,
  );
  expect(await cell).toMatchObject({ ended: true, error: { name: 'KernelDied' } });
  await eventually('the end of what it started', () => sleepers(seconds).length === 0);
});

withKernel('a kernel that is idle for long ends by itself, and the fifth takes the place of the first', async () => {
  const open = (idleMs?: number): Kernels => new Kernels(temporary.root, new SessionMemory(join(temporary.base, 'memory')), {}, idleMs);
  const cell = { code: '1', timeoutMs: 30_000, signal: new AbortController().signal, onEvent: () => undefined };
  const brief = open(50);
  await brief.run('s', cell);
  await eventually('its end', () => brief.stateOf('s').kind === 'none');
  expect(await brief.run('s', cell)).toMatchObject({ restarted: true });
  const kernels = open();
  for (const id of ['a', 'b', 'c', 'd', 'e']) await kernels.run(id, cell);
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => kernels.stateOf(id).kind)).toEqual(['none', 'idle', 'idle', 'idle', 'idle']);
  await Promise.all([brief.close(), kernels.close()]);
});

/** An environment of the workspace: its Python notes that it ran, and is the machine's with a kernel, or has none. */
const plantEnvironment = (name: string, hasKernel: boolean): string => {
  const ran = join(temporary.base, `${name}.ran`);
  mkdirSync(join(temporary.root, name, 'bin'), { recursive: true });
  const python = join(temporary.root, name, 'bin', 'python');
  writeFileSync(python, `#!/bin/sh\ntouch '${ran}'\nexec ${kernelPython!} ${hasKernel ? '' : '-S '}"$@"\n`);
  chmodSync(python, 0o755);
  mkdirSync(join(temporary.root, name, 'share/jupyter/kernels/python3'), { recursive: true });
  writeFileSync(join(temporary.root, name, 'share/jupyter/kernels/python3/kernel.json'), '{"argv": ["/bin/false"]}');
  return ran;
};

withKernel(
  verifies('H1:kernel', 'an environment of the workspace is found, and runs for an approved cell only, before the others'),
  async () => {
    const [without, with_] = [plantEnvironment('.venv', false), plantEnvironment('venv', true)];
    const workspace = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
    expect(workspace.tools).toContain('kernel.execute');
    const call = { signal: new AbortController().signal, callId: 'c', sessionId: 's' };
    expect(await workspace.run('kernel.execute', { code: '1' }, call)).toMatchObject({ ok: false, error: { code: 'DENIED_BY_POLICY' } });
    await workspace.preview('kernel.execute', { code: '1' });
    expect([existsSync(without), existsSync(with_)]).toEqual([false, false]);
    expect(await workspace.run('kernel.execute', { code: '1' }, { ...call, approved: true })).toMatchObject({ ok: true });
    expect([existsSync(without), existsSync(with_)]).toEqual([true, true]);
    await workspace.kernels.close();
  },
);

withKernel('a kernel that was chosen is taken or nothing, and a missing one says how to get one', async () => {
  const open = async (kernel: object): Promise<unknown> => {
    const workspace = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir, kernel });
    const call = { signal: new AbortController().signal, callId: 'c', sessionId: 's', approved: true };
    const outcome = await workspace.run('kernel.execute', { code: 'import sys; sys.executable' }, call);
    await workspace.kernels.close();
    return outcome.ok ? outcome.result : outcome.error;
  };
  expect(await open({ python: kernelPython })).toMatchObject({ outputs: [{ type: 'text/plain' }] });
  expect(await open({ python: '/nonexistent/python' })).toMatchObject({
    code: 'PERMISSION_DENIED',
    message: expect.stringContaining('install one with `pip install ipykernel`'),
  });
  expect(await open({ name: 'no-such-kernel' })).toMatchObject({ message: expect.stringContaining('no-such-kernel') });
});
