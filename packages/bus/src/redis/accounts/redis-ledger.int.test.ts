import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { counts, useLedgers, type Replica } from '../../../test/ledger-fixture.js';
import { BusError } from '../../bus-error.js';
import type { Receipt, Reservation, Reserved } from '../../accounts/ledger.js';
import type { Owner } from '../../session-ref.js';
import { toDay } from './usage-rows.js';

const fixture = useLedgers();
const DAY_MS = 24 * 60 * 60_000;
const TODAY = new Date().toISOString().slice(0, 10);
/** A test that begins right before midnight still finds its rows. */
const ANY_DAY = { from: TODAY, to: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10) };

let names = 0;
const request = (some: Partial<Reservation> = {}): Reservation => ({
  ...{ requestId: `request-${String((names += 1))}`, limits: {}, inputTokens: 0, outputTokens: 0, ...some },
});
const receiptOf = (reserved: Reserved): Receipt => {
  if (reserved.kind !== 'reserved') throw new Error(`refused: ${JSON.stringify(reserved)}`);
  return reserved.receipt;
};
const isIn = ({ kind }: Reserved): boolean => kind === 'reserved';
const settled = async ({ ledger }: Replica, owner: Owner, receipt: Receipt, costUsd: number, tokens = 0): Promise<void> => {
  ledger.settle(owner, { receipt, used: { ...counts({ costUsd, inputTokens: tokens }), model: 'm' } });
  await ledger.flush();
};

describe('rates', () => {
  test(verifies('G4:rate-shared', 'two replicas that ask at the same time let in no more requests than the limit says'), async () => {
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    const owner = fixture.person();
    const asked = Array.from({ length: 60 }, (_, n) => replicas[n % 2]!.ledger.reserve(owner, request({ limits: { requests: 7 } })));
    const answers = await Promise.all(asked);
    expect(answers.filter(isIn)).toHaveLength(7);
    for (const answer of answers.filter((it) => !isIn(it))) {
      expect(answer).toMatchObject({ limit: 'requests', used: 7, retryAfterMs: expect.any(Number) });
    }
    expect(await replicas[0].ledger.reserve(fixture.person(), request({ limits: { requests: 7 } }))).toMatchObject({ kind: 'reserved' });
  });

  test(
    verifies('G4:rate-window', 'no window of the length of a limit holds more than it allows, and a place is free when it was said'),
    async () => {
      const windowMs = 300;
      const { ledger } = await fixture.replica({ windowMs });
      const owner = fixture.person();
      /** Each was let in at some time between the two. */
      const letIn: { before: number; after: number }[] = [];
      const reserve = async () => {
        const before = performance.now();
        const answer = await ledger.reserve(owner, request({ limits: { requests: 4 } }));
        if (answer.kind === 'reserved') letIn.push({ before, after: performance.now() });
        return answer;
      };
      let refusals = 0;
      await eventually('three windows', async () => {
        const answer = await reserve();
        if (answer.kind !== 'reserved' && answer.limit === 'requests') {
          refusals += 1;
          expect(answer.retryAfterMs).toBeGreaterThan(0);
          expect(answer.retryAfterMs).toBeLessThanOrEqual(windowMs + windowMs / 20);
          await new Promise((resolve) => setTimeout(resolve, answer.retryAfterMs));
          expect(await reserve()).toMatchObject({ kind: 'reserved' });
        }
        return letIn.length >= 13;
      });
      expect(refusals).toBeGreaterThan(0);
      for (const [index, { after }] of letIn.slice(4).entries()) expect(after - letIn[index]!.before).toBeGreaterThan(windowMs * 0.9);
    },
  );

  test(verifies('G4:token-rate', 'tokens are counted before they are used, and then as they were used'), async () => {
    const [one, other] = await Promise.all([fixture.replica(), fixture.replica()]);
    const owner = fixture.person();
    const ask = (replica: Replica, inputTokens: number, outputTokens = 0) =>
      replica.ledger.reserve(owner, request({ limits: { tokens: 1_000 }, inputTokens, outputTokens }));
    const receipt = receiptOf(await ask(one, 100, 500));
    expect(await ask(other, 500)).toMatchObject({ limit: 'tokens', used: 600, needed: 500 });
    await settled(one, owner, receipt, 0, 150);
    const second = receiptOf(await ask(other, 850));
    expect(await ask(one, 1)).toMatchObject({ limit: 'tokens', used: 1_000, retryAfterMs: expect.any(Number) });
    other.ledger.settle(owner, { receipt: second });
    await other.ledger.flush();
    const third = receiptOf(await ask(one, 10));
    await settled(one, owner, third, 0, 900);
    expect(await ask(other, 1)).toMatchObject({ limit: 'tokens', used: 1_050 });
  });

  test('a request that may use more than a window has gets the window for itself; one that is larger from the start never fits', async () => {
    const { ledger } = await fixture.replica();
    const owner = fixture.person();
    const ask = (inputTokens: number, outputTokens: number) =>
      ledger.reserve(owner, request({ limits: { tokens: 1_000, requests: 100 }, inputTokens, outputTokens }));
    const refused = await ask(1_001, 0);
    expect(refused).toMatchObject({ kind: 'refused', limit: 'tokens', needed: 1_001 });
    expect(refused).not.toHaveProperty('retryAfterMs');
    expect(receiptOf(await ask(10, 50_000)).tokens).toBe(1_000);
    expect(await ask(1, 0)).toMatchObject({ limit: 'tokens', used: 1_000, needed: 1 });
  });
});

describe('a budget', () => {
  const budget = { usd: 1, per: 'day' } as const;

  test(verifies('G4:budget-shared', 'two replicas cannot overspend it together, however many ask at once'), async () => {
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    const owner = fixture.person();
    let spent = 0;
    const spend = async (replica: Replica, seed: number): Promise<void> => {
      for (let times = 0; times < 6; times += 1) {
        const costUsd = ((seed * 7 + times * 13) % 20) / 100 + 0.01;
        const answer = await replica.ledger.reserve(owner, request({ budget, costUsd }));
        if (answer.kind === 'refused') continue;
        await settled(replica, owner, answer.receipt, costUsd / 2);
        spent += costUsd / 2;
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, seed) => spend(replicas[seed % 2]!, seed)));
    expect(spent).toBeLessThanOrEqual(1);
    expect(spent).toBeGreaterThan(0.8);
    const answer = await replicas[0].ledger.reserve(owner, request({ budget, costUsd: 1 }));
    expect(answer).toMatchObject({ limit: 'budget', heldUsd: 0, fitsLater: false });
    expect(answer.kind === 'refused' && answer.limit === 'budget' && answer.spentUsd).toBeCloseTo(spent, 9);
  });

  test('tells what is spent from what is held, and when it begins again', async () => {
    const replica = await fixture.replica();
    const owner = fixture.person();
    const held = receiptOf(await replica.ledger.reserve(owner, request({ budget, costUsd: 0.75 })));
    const refused = await replica.ledger.reserve(owner, request({ budget, costUsd: 0.5 }));
    expect(refused).toMatchObject({ limit: 'budget', spentUsd: 0, heldUsd: 0.75, fitsLater: true });
    await settled(replica, owner, held, 0.25);
    expect(await replica.ledger.reserve(owner, request({ budget, costUsd: 0.75 }))).toMatchObject({ kind: 'reserved' });
    for (const [per, most] of [
      ['day', DAY_MS],
      ['month', 31 * DAY_MS],
    ] as const) {
      const answer = await replica.ledger.reserve(owner, request({ budget: { usd: 0.1, per }, costUsd: 0.5 }));
      const wait = answer.kind === 'refused' ? (answer.retryAfterMs ?? 0) : 0;
      expect([wait > 0, wait <= most]).toEqual([true, true]);
      const again = new Date(Date.now() + wait + 1_000).toISOString();
      expect(again.slice(per === 'day' ? 11 : 8, 13)).toBe(per === 'day' ? '00' : '01T00');
    }
    expect(await replica.ledger.reserve(owner, request({ budget: { usd: 0.1, per: 'total' }, costUsd: 0.5 }))).not.toHaveProperty(
      'retryAfterMs',
    );
  });

  test(verifies('G4:budget-period', 'begins again with its day or its month, and never where it is a total'), async () => {
    const replica = await fixture.replica();
    const owner = fixture.person();
    const { spent } = fixture.keys.ledger(owner);
    await settled(replica, owner, receiptOf(await replica.ledger.reserve(owner, request({ budget, costUsd: 1 }))), 1);
    const may = async (per: 'day' | 'month' | 'total'): Promise<boolean> => {
      const answer = await replica.ledger.reserve(owner, request({ budget: { usd: 1, per }, costUsd: 0.01 }));
      if (answer.kind === 'reserved') replica.ledger.settle(owner, { receipt: answer.receipt });
      await replica.ledger.flush();
      return answer.kind === 'reserved';
    };
    expect([await may('day'), await may('month'), await may('total')]).toEqual([false, false, false]);
    const [yesterday, lastMonth] = [toDay(Date.now() - DAY_MS), toDay(Date.now() - 32 * DAY_MS).slice(0, 6)];
    await fixture.redis.client.hset(spent, 'day', yesterday, 'month', lastMonth);
    expect([await may('day'), await may('month'), await may('total')]).toEqual([true, true, false]);
    await settled(replica, owner, receiptOf(await replica.ledger.reserve(owner, request({ costUsd: 0.25 }))), 0.25);
    const stored = await fixture.redis.client.hgetall(spent);
    expect(stored).toMatchObject({ day_cost: '250000000', month_cost: '250000000', total_cost: '1250000000' });
    expect(await fixture.redis.client.pttl(spent)).toBe(-1);
  });

  test('that is used up refuses what has no price, and lets in what costs nothing', async () => {
    const replica = await fixture.replica();
    const owner = fixture.person();
    expect(await replica.ledger.reserve(owner, request({ budget }))).toMatchObject({ kind: 'reserved' });
    await settled(replica, owner, receiptOf(await replica.ledger.reserve(owner, request({ budget, costUsd: 0.5 }))), 1.5);
    expect(await replica.ledger.reserve(owner, request({ budget }))).toMatchObject({ limit: 'budget', spentUsd: 1.5, fitsLater: false });
    expect(await replica.ledger.reserve(owner, request({ budget, costUsd: 0 }))).toMatchObject({ kind: 'reserved' });
  });
});

describe('a reservation', () => {
  const budget = { usd: 1, per: 'total' } as const;

  test(verifies('G4:reservation-retry', 'of a request that is asked again takes the place of the first'), async () => {
    const [one, other] = await Promise.all([fixture.replica(), fixture.replica()]);
    const owner = fixture.person();
    const again = { requestId: 'step_1', budget, costUsd: 0.6, limits: { tokens: 100 }, inputTokens: 60 };
    const first = receiptOf(await one.ledger.reserve(owner, request(again)));
    const second = receiptOf(await other.ledger.reserve(owner, request({ ...again, inputTokens: 80, costUsd: 0.8 })));
    await settled(one, owner, first, 0);
    expect(await one.ledger.reserve(owner, request({ budget, costUsd: 0.3 }))).toMatchObject({ limit: 'budget', heldUsd: 0.8 });
    await settled(other, owner, second, 0.1, 80);
    expect(await one.ledger.reserve(owner, request({ budget, costUsd: 0.9, limits: { tokens: 100 }, inputTokens: 20 }))).toMatchObject({
      kind: 'reserved',
    });
  });

  test(verifies('G4:reservation-expires', 'of a process that died ends by itself, that of one that lives does not'), async () => {
    const [dying, living] = [await fixture.replica({ reservationMs: 150 }), await fixture.replica({ reservationMs: 150 })];
    const [owner, other] = [fixture.person(), fixture.person()];
    expect(await dying.ledger.reserve(owner, request({ budget, costUsd: 1 }))).toMatchObject({ kind: 'reserved' });
    const held = receiptOf(await living.ledger.reserve(other, request({ budget, costUsd: 1 })));
    const asked = () => living.ledger.reserve(owner, request({ budget, costUsd: 1 }));
    expect(await asked()).toMatchObject({ limit: 'budget', heldUsd: 1 });
    await dying.die();
    await eventually('the end of the reservation', async () => isIn(await asked()));
    expect(await living.ledger.reserve(other, request({ budget, costUsd: 1 }))).toMatchObject({ limit: 'budget', heldUsd: 1 });
    await settled(living, other, held, 0);
    expect(await living.ledger.reserve(other, request({ budget, costUsd: 1 }))).toMatchObject({ kind: 'reserved' });
  });

  test('leaves nothing behind but what was used', async () => {
    const replica = await fixture.replica({ windowMs: 1_000, reservationMs: 1_000 });
    const owner = fixture.person();
    const ask = request({ budget, costUsd: 0.5, limits: { requests: 5, tokens: 5_000 }, inputTokens: 5 });
    await settled(replica, owner, receiptOf(await replica.ledger.reserve(owner, ask)), 0.25, 5);
    const { client } = fixture.redis;
    const { rates, reserved, reservationEnds, writers, usage } = fixture.keys.ledger(owner);
    expect([await client.hgetall(reserved), await client.exists(reservationEnds)]).toEqual([{ sum: '0' }, 0]);
    for (const key of [rates, reserved]) expect(await client.pttl(key)).toBeLessThanOrEqual(2_000);
    for (const key of [rates, reserved, writers, usage(toDay(Date.now()))]) expect(await client.pttl(key)).toBeGreaterThan(0);
  });
});

describe('usage', () => {
  test(verifies('G4:usage-exact', 'of two replicas adds up to the last token, by model, session and day'), async () => {
    const replicas = await Promise.all([fixture.replica(), fixture.replica()]);
    const owner = fixture.person();
    const used = counts({
      inputTokens: 11,
      cachedInputTokens: 7,
      cacheWriteTokens: 3,
      outputTokens: 5,
      reasoningTokens: 2,
      costUsd: 0.000000123,
    });
    for (let n = 0; n < 600; n += 1) {
      const session = n % 3 === 0 ? {} : { sessionId: `s${String(n % 3)}` };
      replicas[n % 2]!.ledger.settle(owner, { used: { ...used, ...session, model: n % 5 === 0 ? 'a/b:1' : 'gpt' } });
    }
    await replicas[1].ledger.flush();
    const rows = await replicas[0].ledger.readUsage(owner, ANY_DAY);
    const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
    expect(rows).toHaveLength(6);
    expect([sum((row) => row.requests), sum((row) => row.inputTokens), sum((row) => row.cachedInputTokens)]).toEqual([600, 6_600, 4_200]);
    expect([sum((row) => row.cacheWriteTokens), sum((row) => row.outputTokens), sum((row) => row.reasoningTokens)]).toEqual([
      1_800, 3_000, 1_200,
    ]);
    expect(sum((row) => row.costUsd)).toBeCloseTo(600 * 0.000000123, 12);
    expect(rows.filter(({ model }) => model === 'a/b:1').reduce((total, row) => total + row.requests, 0)).toBe(120);
    expect(rows.filter(({ sessionId }) => sessionId === '').reduce((total, row) => total + row.requests, 0)).toBe(200);
    expect(await replicas[0].ledger.readUsage(fixture.person(), ANY_DAY)).toEqual([]);
  });

  test(verifies('G4:usage-batched', 'of keys without limits costs no round trip of its own'), async () => {
    const { ledger, commands } = await fixture.replica({ flushMs: 60_000 });
    const owners = Array.from({ length: 5 }, () => fixture.person());
    const before = commands.roundTrips.size;
    for (let n = 0; n < 500; n += 1) ledger.settle(owners[n % 5]!, { used: { ...counts({ inputTokens: 1 }), model: 'gpt' } });
    expect(commands.roundTrips.size).toBe(before);
    await ledger.flush();
    expect(commands.roundTrips.get('settle-usage')).toBe(1);
    for (const owner of owners) expect(await ledger.readUsage(owner, ANY_DAY)).toMatchObject([{ requests: 100, inputTokens: 100 }]);
  });

  test(verifies('G4:usage-once', 'is stored once, though the answer of a batch was lost'), async () => {
    const { ledger, commands } = await fixture.replica({ flushMs: 60_000 });
    const owner = fixture.person();
    const send = commands.runEach.bind(commands);
    let sent = 0;
    commands.runEach = async (...args) => {
      const replies = await send(...args);
      if ((sent += 1) <= 2) throw new BusError('the answer was lost');
      return replies;
    };
    const use = (): void => ledger.settle(owner, { used: { ...counts({ inputTokens: 1, costUsd: 0.5 }), model: 'gpt' } });
    use();
    await expect(ledger.flush()).rejects.toThrow('lost');
    use();
    await expect(ledger.flush()).rejects.toThrow('lost');
    await ledger.flush();
    expect([sent, await ledger.readUsage(owner, ANY_DAY)]).toMatchObject([4, [{ requests: 2, inputTokens: 2, costUsd: 1 }]]);
  });

  test('of a process that stops in order is all there', async () => {
    const [stopping, other] = [await fixture.replica({ flushMs: 60_000 }), await fixture.replica()];
    const owner = fixture.person();
    for (let n = 0; n < 300; n += 1) {
      stopping.ledger.settle(owner, { used: { ...counts({ outputTokens: 1 }), model: `m${String(n % 250)}` } });
    }
    await stopping.ledger.close();
    const rows = await other.ledger.readUsage(owner, ANY_DAY);
    expect([rows.length, rows.reduce((sum, row) => sum + row.outputTokens, 0)]).toEqual([250, 300]);
  });

  test('of a day is bounded: over the bound the rest is one row', async () => {
    const { ledger } = await fixture.replica();
    const owner = fixture.person();
    const key = fixture.keys.ledger(owner).usage(toDay(Date.now()));
    const full = Array.from({ length: 10_000 }, (_, n) => [`\x1fm${String(n)}`, '1 0 0 0 0 0 0 0']).flat();
    await fixture.redis.client.hset(key, ...full);
    for (const model of ['m1', 'new', 'newer']) ledger.settle(owner, { used: { ...counts(), model } });
    await ledger.flush();
    expect(await fixture.redis.client.hmget(key, '\x1fm1', '\x1fother')).toEqual(['2 0 0 0 0 0 0 0', '2 0 0 0 0 0 0 0']);
  });
});

test(
  verifies('G4:ledger-away', 'while Redis is away a reservation is refused at once, and what was used is stored when it is back'),
  async () => {
    const { ledger, commands } = await fixture.replica();
    const owner = fixture.person();
    const receipt = receiptOf(await ledger.reserve(owner, request({ budget: { usd: 5, per: 'total' }, costUsd: 1 })));
    const stopped = fixture.redis.restart();
    await eventually('the loss', () => commands.status() === 'away');
    await expect(ledger.reserve(owner, request())).rejects.toThrow('Redis is away');
    ledger.settle(owner, { receipt, used: { ...counts({ inputTokens: 1, costUsd: 0.5 }), model: 'gpt' } });
    ledger.settle(owner, { used: { ...counts({ inputTokens: 1 }), model: 'gpt' } });
    await expect(ledger.readUsage(owner, ANY_DAY)).rejects.toThrow(BusError);
    await stopped;
    const rows = await eventually('its return', () => ledger.readUsage(owner, ANY_DAY).catch(() => undefined)); // not back yet
    expect(rows).toMatchObject([{ requests: 2, inputTokens: 2, costUsd: 0.5 }]);
    expect(await ledger.reserve(owner, request({ budget: { usd: 5, per: 'total' }, costUsd: 4.6 }))).toMatchObject({
      ...{ spentUsd: 0.5, heldUsd: 0 },
    });
  },
);
