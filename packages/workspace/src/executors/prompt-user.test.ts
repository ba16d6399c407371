import { afterEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import type { Ask } from '../ask.js';
import { ToolFailure } from '../tool-failure.js';

let temporary: TemporaryWorkspace;
afterEach(() => temporary.remove());

const ask = async (promptUser: Ask['promptUser'], signal?: AbortSignal): ReturnType<TemporaryWorkspace['run']> => {
  temporary = await temporaryWorkspace({ ask: { promptUser, reviewPatch: () => Promise.reject(new Error('not asked')) } });
  const args = { message: 'Continue?', actions: ['approve', 'deny', 'review'] };
  return temporary.run('prompt_user', args, signal === undefined ? {} : { signal });
};

test("the action that was chosen comes back in the specification's shape", async () => {
  expect(await ask((message, actions) => Promise.resolve(message === 'Continue?' ? actions[1]! : ''))).toEqual({ action: 'deny' });
});

test('an answer that is none of the actions is none', async () =>
  expect(await ask(() => Promise.resolve('whatever'))).toBe('DENIED_BY_USER'));

test('a refusal to answer is the answer', async () => {
  expect(await ask(() => Promise.reject(new ToolFailure('DENIED_BY_POLICY', 'nobody is here')))).toBe('DENIED_BY_POLICY');
});

test(verifies('R3:cancel-a-question', 'a call that is cancelled waits for nobody'), async () => {
  const controller = new AbortController();
  const answer = await ask((_message, _actions, signal) => {
    expect(signal.aborted).toBe(false);
    controller.abort();
    return new Promise(() => undefined);
  }, controller.signal);
  expect(answer).toBe('CANCELLED');
});

test('a deadline is told from a cancellation', async () => {
  expect(await ask(() => new Promise(() => undefined), AbortSignal.timeout(5))).toBe('TIMEOUT');
});
