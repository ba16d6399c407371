import { expect, test, vi } from 'vitest';
import { pino } from 'pino';
import { verifies } from '@codelab/testkit';
import { Drain } from './drain.js';

test(verifies('R4:time-set', 'a service whose time is set ahead while it stops lets what has begun end all the same'), async () => {
  const drain = new Drain(5_000, pino({ level: 'silent' }));
  const [real, order] = [Date.now, [] as string[]];
  drain.on('stop', 'sockets', () => void vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000));
  drain.on('finish', 'turns', async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push(signal.aborted ? 'aborted' : 'ended');
  });
  try {
    await drain.run(async () => void order.push('http'));
  } finally {
    vi.restoreAllMocks();
  }
  expect(order).toEqual(['ended', 'http']);
});
