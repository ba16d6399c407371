import { expect, test } from 'vitest';
import { LIMITS, type ClientFrameOf } from '@codelab/protocol';
import { FakeClock } from '@codelab/testkit';
import { OutputLog } from './output-log.js';

const makeLog = (buffered = () => 0) => {
  const clock = new FakeClock();
  const sent: ClientFrameOf<'tool_output'>[] = [];
  return { clock, sent, log: new OutputLog('c1', { send: (frame) => sent.push(frame), buffered, clock }) };
};

test('pieces are gathered before they are sent', () => {
  const { clock, sent, log } = makeLog();
  log.add('stdout', 'a');
  log.add('stdout', 'b');
  expect(sent).toEqual([]);
  clock.advanceSync(100);
  log.add('stdout', 'c');
  log.close();
  log.add('stdout', 'too late');
  clock.advanceSync(1_000);
  expect(sent.map(({ offset, data }) => [offset, data])).toEqual([
    [0, 'ab'],
    [2, 'c'],
  ]);
});

test('a call says at most 4 MB, cut between characters, in pieces that keep pairs together', () => {
  const { sent, log } = makeLog();
  log.add('stdout', `x${'🙂'.repeat(LIMITS.MAX_OUTPUT_BYTES / 4)}`);
  log.add('stderr', 'no room');
  log.close();
  const text = sent.map(({ data }) => data).join('');
  expect(Buffer.byteLength(text)).toBe(LIMITS.MAX_OUTPUT_BYTES - 3);
  for (const { data } of sent) expect(Buffer.from(data).toString()).toBe(data);
  expect(sent.every(({ stream }) => stream === 'stdout')).toBe(true);
});

test('on a congested connection output is left out, and the offsets say so', () => {
  let buffered = 2 * 1024 * 1024;
  const { clock, sent, log } = makeLog(() => buffered);
  log.add('stdout', 'lost');
  clock.advanceSync(100);
  buffered = 0;
  log.add('stdout', 'seen');
  clock.advanceSync(100);
  expect(sent.map(({ offset, data }) => [offset, data])).toEqual([[4, 'seen']]);
});
