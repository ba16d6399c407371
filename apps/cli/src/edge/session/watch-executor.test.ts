import type { SessionEvent } from '@codelab/client/view';
import { expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { watchRun } from './watch-executor.js';

const RAISED = { outputs: [], error: { name: 'ZeroDivisionError', value: 'division by zero' } };

test.each([
  ['kernel.execute', { outputs: [] }, undefined],
  ['kernel.execute', RAISED, null],
  ['kernel.execute', { outputs: [], timed_out: true }, null],
  ['run_command', { exit_code: 3, stdout: '', stderr: '' }, 3],
  ['run_command', { exit_code: 0, stdout: '', stderr: '' }, undefined],
])('a cell that raised is as little a success as a command that failed (%s, %j)', async (toolName, result, exitCode) => {
  const told: SessionEvent[] = [];
  const watched = watchRun(() => Promise.resolve({ ok: true, result }), { dataDir: tmpdir(), tell: (event) => told.push(event) });
  await watched(toolName, {}, { callId: 'c', signal: new AbortController().signal, onOutput: () => undefined });
  expect(told.at(-1)).toMatchObject({ kind: 'call_finished', callId: 'c', exitCode });
});
