import { expect, test } from '@jest/globals';
import { collectAnswer, LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { askModel } from './ask-model.js';
import type { Provider } from './provider.js';

const REQUEST: ModelRequest = { model: 'm', messages: [], tools: [] };
const TEXT: StreamPart = { kind: 'text_delta', text: 'hi' };
const FINISH: StreamPart = { kind: 'finish', reason: 'stop' };

/** Answers each attempt with the next script: parts, then the error if there is one. */
function scripted(...scripts: (StreamPart | LlmError)[][]): Provider & { attempts: number } {
  return {
    name: 'scripted',
    attempts: 0,
    async *stream() {
      for (const step of scripts[this.attempts++] ?? []) {
        if (step instanceof LlmError) throw step;
        yield step;
      }
    },
  };
}

const waits: number[] = [];
const ask = (provider: Provider, { wait = async (ms: number) => void waits.push(ms), now = (): number => 0 } = {}) =>
  collectAnswer(askModel(provider, REQUEST, { signal: new AbortController().signal, wait, now, random: () => 0.5 }));
const overloaded = new LlmError('overloaded', 'busy');

test('a failure before the first part is tried again, after a growing wait', async () => {
  waits.length = 0;
  const provider = scripted([overloaded], [new LlmError('rate_limited', 'x', { retryAfterMs: 100 })], [TEXT, FINISH]);
  expect((await ask(provider)).text).toBe('hi');
  expect(waits).toEqual([250, 105]);
});

test('after four failures the last one is the answer', async () => {
  const provider = scripted([overloaded], [overloaded], [overloaded], [new LlmError('timeout', 'slow')]);
  await expect(ask(provider)).rejects.toMatchObject({ code: 'timeout' });
  expect(provider.attempts).toBe(4);
});

test(verifies('R3:no-retry-after-first-byte', 'a failure after the first part is not tried again'), async () => {
  const provider = scripted([TEXT, new LlmError('stream_interrupted', 'cut')], [TEXT, FINISH]);
  await expect(ask(provider)).rejects.toMatchObject({ code: 'stream_interrupted' });
  expect(provider.attempts).toBe(1);
});

test('what asking again can’t help is not tried again', async () => {
  const provider = scripted([new LlmError('invalid_request', 'no')], [TEXT, FINISH]);
  await expect(ask(provider)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(provider.attempts).toBe(1);
});

test('who has waited for two minutes is not made to wait again', async () => {
  const provider = scripted([new LlmError('timeout', 'slow')], [TEXT, FINISH]);
  let nowMs = 0;
  await expect(ask(provider, { now: () => (nowMs += 120_000) })).rejects.toMatchObject({ code: 'timeout' });
  expect(provider.attempts).toBe(1);
});

test('a cancel while it waits ends it', async () => {
  const provider = scripted([overloaded], [TEXT, FINISH]);
  const wait = (): Promise<undefined> => Promise.reject(new Error('aborted'));
  await expect(ask(provider, { wait })).rejects.toMatchObject({ code: 'cancelled' });
  expect(provider.attempts).toBe(1);
});
