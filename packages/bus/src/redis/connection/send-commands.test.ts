import type { Command, Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import { sendCommands } from './send-commands.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose replies the test gives, in the order of the commands. */
const connection = () => {
  const sent: Command[] = [];
  const stream = { cork: () => undefined, uncork: () => undefined, write: () => true };
  const sendCommand = (command: Command): Promise<unknown> => {
    sent.push(command);
    return command.promise;
  };
  const redis = { isCluster: false, stream, sendCommand } as unknown as Redis;
  const outcomes: string[] = [];
  const ask = (name: string): void =>
    void sendCommands(redis, [['get', name]]).then(([answer]) => outcomes.push(`${name}: ${answer?.[0]?.message ?? String(answer?.[1])}`));
  const reply = (): void => sent.shift()?.resolve('there');
  return { ask, reply, outcomes };
};

test(verifies('G4:busy-store', 'a command waits for a Redis that is busy, as long as others on its connection are answered'), async () => {
  const { ask, reply, outcomes } = connection();
  for (const name of ['a', 'b', 'c']) ask(name);
  for (let replies = 0; replies < 3; replies += 1) {
    await vi.advanceTimersByTimeAsync(4_500);
    reply();
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(outcomes).toEqual(['a: there', 'b: there', 'c: there']);
});

test('where nothing is answered it is given up after five seconds, and behind a queue after thirty', async () => {
  const silent = connection();
  silent.ask('a');
  await vi.advanceTimersByTimeAsync(5_100);
  expect(silent.outcomes).toEqual(['a: Command timed out']);
  const busy = connection();
  for (let n = 0; n < 12; n += 1) busy.ask(String(n));
  for (let replies = 0; replies < 9; replies += 1) {
    busy.reply();
    await vi.advanceTimersByTimeAsync(4_000);
  }
  expect(busy.outcomes.slice(-3)).toEqual(['9: Command timed out', '10: Command timed out', '11: Command timed out']);
});
