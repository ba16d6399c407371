import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useLedgers } from '../../../test/ledger-fixture.js';
import type { ToolCallRow } from '../../accounts/tool-call-log.js';

const fixture = useLedgers();
const row = (some: Partial<ToolCallRow> = {}): ToolCallRow => ({
  ...{ callId: 'call_1', tool: 'read_file', model: 'gpt', round: 1, source: 'builtin', outcome: 'ok' },
  ...{ startedAtMs: 1_764_000_000_000, durationMs: 12, bytesIn: 20, bytesOut: 300, ...some },
});

test(verifies('S1:tool-calls', 'the log of tool calls has each call once, newest first, for its owner alone'), async () => {
  const [one, other] = await Promise.all([fixture.replica(), fixture.replica()]);
  const owner = fixture.person();
  const full = row({
    callId: 'call_a',
    sessionId: 'ses_1',
    source: 'client',
    outcome: 'error',
    errorCode: 'DENIED_BY_USER',
    approvalWaitMs: 5,
  });
  one.log.record(owner, full);
  one.log.record(owner, row({ callId: 'call_b', source: 'caller', outcome: 'handed_over' }));
  await one.log.flush();
  expect(await other.log.read(owner, { limit: 10 })).toEqual({
    rows: [row({ callId: 'call_b', source: 'caller', outcome: 'handed_over' }), full],
  });
  expect(await other.log.read(fixture.person(), { limit: 10 })).toEqual({ rows: [] });
});

test('the log is read a part at a time, and by session or tool', async () => {
  const { log } = await fixture.replica();
  const owner = fixture.person();
  for (let n = 0; n < 1_200; n += 1) {
    log.record(owner, row({ callId: `call_${String(n)}`, tool: n % 400 === 0 ? 'rare' : 'read_file', sessionId: `s${String(n % 2)}` }));
  }
  const names: string[] = [];
  let before: string | undefined;
  do {
    const page = await log.read(owner, { limit: 500, ...(before !== undefined && { before }) });
    names.push(...page.rows.map(({ callId }) => callId));
    before = page.next;
  } while (before !== undefined);
  expect(names).toEqual(Array.from({ length: 1_200 }, (_, n) => `call_${String(1_199 - n)}`));
  const rare = await log.read(owner, { limit: 2, tool: 'rare' });
  expect(rare.rows.map(({ callId }) => callId)).toEqual(['call_800', 'call_400']);
  const rest = await log.read(owner, { limit: 2, tool: 'rare', before: rare.next ?? '' });
  expect([rest.rows.map(({ callId }) => callId), rest.next]).toEqual([['call_0'], undefined]);
  expect((await log.read(owner, { limit: 1, sessionId: 's0', tool: 'rare' })).rows[0]?.callId).toBe('call_800');
  expect((await log.read(owner, { limit: 1, sessionId: 's1', tool: 'rare' })).rows).toEqual([]);
});

test('the log is bounded, and goes with its time', async () => {
  const { log } = await fixture.replica();
  const owner = fixture.person();
  const key = fixture.keys.ledger(owner).toolCalls;
  for (let n = 0; n < 10_500; n += 1) log.record(owner, row());
  await log.flush();
  expect(await fixture.redis.client.xlen(key)).toBeLessThanOrEqual(10_100);
  expect(await fixture.redis.client.pttl(key)).toBeGreaterThan(29 * 24 * 60 * 60_000);
});
