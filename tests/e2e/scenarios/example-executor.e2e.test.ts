import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startSystem, type System } from '../start-system.js';

const EXAMPLE = fileURLToPath(new URL('../../../examples/executor.mjs', import.meta.url));
const run = promisify(execFile);
let system: System;
let repository: Repository;
let state: string;

beforeAll(async () => {
  system = await startSystem();
  repository = await makeRepository({ extra: { 'a.txt': 'alpha\n' } });
  state = await mkdtemp(join(tmpdir(), 'example-'));
});

afterAll(async () => {
  await system.stop();
  await repository.remove();
  await rm(state, { recursive: true });
});

const gateway = (): string => new URL('/', system.gateways[0]?.ws ?? '').href;
const approving = { ...process.env, EXAMPLE_APPROVES: 'everything' };
const say = (message: string): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [EXAMPLE, gateway(), system.token, repository.root, state, message], { env: approving });

test(verifies('L3:documented', 'an executor written from the documentation alone reads, is approved, writes, and journals'), async () => {
  expect((await say('read a.txt')).stdout).toContain('alpha');
  const { stdout, stderr } = await say('create notes/new.txt with hello there');
  expect([stdout.includes('[turn completed]'), stderr]).toEqual([true, '']);
  expect(await readFile(join(repository.root, 'notes/new.txt'), 'utf8')).toMatch(/^hello there\n?$/);
});

test('killed while a question is open it comes back as the executor, is asked again, and the call runs once', async () => {
  const asked = spawn(process.execPath, [EXAMPLE, gateway(), system.token, repository.root, state, 'create b.txt with once'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await waitForApproval();
  asked.kill('SIGKILL');
  const back = spawn(process.execPath, [EXAMPLE, gateway(), system.token, repository.root, state], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: approving,
  });
  let text = '';
  await new Promise<void>((resolve) => {
    back.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('[turn completed]')) resolve();
    });
  });
  back.kill('SIGKILL');
  expect(await readFile(join(repository.root, 'b.txt'), 'utf8')).toMatch(/^once\n?$/);
});

/** Resolves when the session of the example has an open question. */
async function waitForApproval(): Promise<void> {
  const { session } = JSON.parse(await readFile(join(state, 'identity.json'), 'utf8')) as { readonly session: string };
  const address = `${gateway().replace('ws', 'http')}api/v1/sessions/${session}/pending-approvals`;
  await eventually('the question', async () => {
    const response = await fetch(address, { headers: { authorization: `Bearer ${system.token}` } });
    const { approvals = [] } = (await response.json()) as { readonly approvals?: readonly object[] };
    return approvals.length > 0;
  });
}
