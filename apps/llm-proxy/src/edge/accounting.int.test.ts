import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Owner } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { Usage } from '@codelab/llm';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import type { KeyEntry } from '../core/models/models-file.js';
import type { Exchange, Route } from '../core/serve/route.js';
import type { Accounting, Admission, Estimate } from '../core/accounting/accounting.js';
import { createAccounting } from '../core/accounting/create-accounting.js';
import { KeyEntries } from '../core/accounting/key-entries.js';
import { toolCallRoutes } from '../core/accounting/tool-call-routes.js';
import { usageRoutes } from '../core/accounting/usage-routes.js';

let redis: TestRedis;
let buses: Bus[];

beforeAll(async () => {
  redis = await startRedis({ snapshot: true });
  buses = await Promise.all([1, 2].map(() => connectBus({ url: redis.url, signal: AbortSignal.timeout(15_000) })));
});
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await redis.close();
});

const now = () => Date.now();
const owner = (sub: string, tenant = 'acme'): Owner => ({ tenant, sub });
const replicas = (keys: Readonly<Record<string, KeyEntry>>): readonly [Accounting, Accounting] =>
  buses.map((bus) => createAccounting({ ledger: bus.ledger, keys: new KeyEntries(keys), now })) as [Accounting, Accounting];
const asked = (estimate: Partial<Estimate> = {}, model = 'gpt') => ({
  ...{ model, estimate: () => ({ inputTokens: 10, outputTokens: 10, ...estimate }) },
});
const used = (usage: Partial<Usage> = {}, model = 'gpt') => ({ model, usage: { inputTokens: 10, outputTokens: 5, ...usage } });
const refusal = (kind: string, more: object = {}): object => expect.objectContaining({ kind, ...more });

/** Asks a route as `caller`; what it replies. */
const ask = async ([route]: readonly Route[], caller: Owner, query = ''): Promise<unknown> => {
  const replies: unknown[] = [];
  const exchange = {
    ...{ caller: { owner: caller, scopes: [] }, url: new URL(`http://x${route!.path}?${query}`) },
    reply: (status: number, body: unknown) => void replies.push(status, body),
  };
  await route!.handle(exchange as unknown as Exchange); // the routes read no more of it
  const [status, body] = replies;
  expect(status).toBe(200);
  return body;
};
const usageOf = (caller: Owner, query = '', bus = buses[0]!) => ask(usageRoutes({ ledger: bus.ledger, now }), caller, query);

test(verifies('G4:key-limits', 'the most specific entry of the models file holds for a key, on every replica'), async () => {
  const keys = { '*': { requests_per_minute: 1 }, 'acme/*': { requests_per_minute: 2 }, 'acme/ann': { requests_per_minute: 3 } };
  const both = replicas(keys);
  const letIn = async (payer: Owner): Promise<number> => {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => both[n % 2]!.admit({ owner: payer }, asked())));
    for (const answer of answers.filter((it) => it.status === 'rejected')) {
      expect(answer.reason).toEqual(refusal('rate_limited', { retryAfterMs: expect.any(Number) }));
    }
    return answers.filter(({ status }) => status === 'fulfilled').length;
  };
  expect([await letIn(owner('ann')), await letIn(owner('bob')), await letIn(owner('ann', 'other'))]).toEqual([3, 2, 1]);
});

test(
  verifies('G4:key-models', 'a key uses the models that it may, by the name that is asked for or the one that it leads to'),
  async () => {
    const [accounting] = replicas({ 'models/*': { models: ['gpt-*', 'fast'] }, 'none/*': { models: [] } });
    const admit = (model: string, leadsTo?: string, tenant = 'models') =>
      accounting.admit({ owner: owner('x', tenant) }, { ...asked({}, model), leadsTo });
    await admit('gpt-5');
    await admit('fast', 'claude');
    await admit('openai/gpt-5', 'gpt-5');
    await expect(admit('claude')).rejects.toEqual(
      refusal('forbidden', { message: 'Your key may not use the model "claude". It may use gpt-*, fast.', param: 'model' }),
    );
    await expect(admit('my-gpt-5')).rejects.toEqual(refusal('forbidden'));
    await expect(admit('gpt-5', undefined, 'none')).rejects.toThrow('It may use none.');
    await admit('anything', undefined, 'other');
    expect(['gpt-5', 'claude'].map((name) => accounting.mayUse(owner('x', 'models'), name))).toEqual([true, false]);
  },
);

test(verifies('G4:key-budget', 'requests of a key cost no more than its budget, whatever replica they come to'), async () => {
  const both = replicas({ '*': { budget: { usd: 0.01, per: 'day' } } });
  const payer = { owner: owner('spender') };
  let spent = 0;
  const request = async (n: number): Promise<void> => {
    const admission = await both[n % 2]!.admit(payer, asked({ costUsd: 0.002 }));
    admission.settle(used({ costUsd: 0.0015 }));
    admission.settle(used({ costUsd: 100 })); // a repeat does nothing
    spent += 0.0015;
  };
  const first = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => request(n)));
  expect(first.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5);
  const second = await eventually('the end', async () => {
    const answer = await request(0).catch((error: { kind: string }) => error);
    return answer?.kind === 'out_of_quota' ? answer : undefined;
  });
  expect(second).toEqual(
    refusal('out_of_quota', { message: expect.stringContaining('The budget begins again at'), retryAfterMs: expect.any(Number) }),
  );
  expect(spent).toBeLessThanOrEqual(0.01);
  expect(spent).toBeGreaterThan(0.008);
  expect(await usageOf(payer.owner)).toMatchObject({ totals: { cost_usd: Math.round(spent * 1e9) / 1e9 } });
});

test(verifies('G4:no-round-trip', 'a request of a key without limits costs no round trip to Redis, one with limits one'), async () => {
  const [accounting] = replicas({ 'acme/limited': { tokens_per_minute: 1_000_000, models: ['gpt'] }, 'acme/*': { models: ['gpt'] } });
  const { roundTrips } = buses[0]!.counters;
  const total = (): number => [...roundTrips].filter(([name]) => name !== 'settle-usage').reduce((sum, [, times]) => sum + times, 0);
  const before = total();
  let estimates = 0;
  const counted = { model: 'gpt', estimate: () => ((estimates += 1), { inputTokens: 1, outputTokens: 1 }) };
  const free = await Promise.all(Array.from({ length: 20 }, () => accounting.admit({ owner: owner('free') }, counted)));
  for (const admission of free) admission.settle(used());
  expect([total() - before, estimates]).toEqual([0, 0]);
  const admission = await accounting.admit({ owner: owner('limited') }, counted);
  expect([total() - before, estimates]).toEqual([1, 1]);
  admission.settle(undefined);
});

test(
  verifies('G4:usage-shown', 'usage is shown to whom it belongs, in total and by model, session, key and day, with its cost'),
  async () => {
    const both = replicas({});
    const payer = owner('reader');
    const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const settle = async (n: number, more: Partial<Usage>, model: string, sessionId?: string, estimated = false): Promise<void> => {
      const admission: Admission = await both[n % 2]!.admit({ owner: payer, sessionId }, asked({}, model));
      admission.settle({ ...used(more, model), ...(estimated && { estimated }) });
    };
    await settle(0, { cachedInputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 1, costUsd: 0.1 }, 'gpt', 's1');
    await settle(1, { costUsd: 0.2 }, 'gpt', 's2');
    await settle(0, {}, 'local', 's1', true);
    await settle(1, {}, 'local', 'not a session id \x1f');
    (await both[0].admit({ owner: payer }, asked())).settle(undefined);
    await Promise.all(buses.map((bus) => bus.ledger.flush()));
    const shown = (await usageOf(payer, `from=${today}&to=${tomorrow}`, buses[1])) as { totals: object; rows: object[] };
    const counts = { requests: 2, estimated_requests: 0, input_tokens: 20, cached_input_tokens: 4, cache_write_tokens: 2 };
    expect(shown).toEqual({
      ...{ object: 'usage', from: today, to: tomorrow, group_by: 'model' },
      totals: { ...counts, requests: 4, estimated_requests: 1, input_tokens: 40, output_tokens: 20, reasoning_tokens: 1, cost_usd: 0.3 },
      rows: [
        { model: 'gpt', ...counts, output_tokens: 10, reasoning_tokens: 1, cost_usd: 0.3 },
        {
          ...{ model: 'local', ...counts, estimated_requests: 1, cached_input_tokens: 0, cache_write_tokens: 0 },
          ...{ output_tokens: 10, reasoning_tokens: 0, cost_usd: 0 },
        },
      ],
    });
    const grouped = async (group: string) => ((await usageOf(payer, `group_by=${group}`)) as { rows: object[] }).rows;
    expect(await grouped('session')).toMatchObject([
      { session_id: 's2', cost_usd: 0.2 },
      { session_id: 's1', requests: 2, cost_usd: 0.1 },
      { session_id: null, requests: 1 },
    ]);
    expect(await grouped('key')).toMatchObject([{ key: 'acme/reader', requests: 4 }]);
    expect((await grouped('day')).reduce<number>((sum, row) => sum + (row as { requests: number }).requests, 0)).toBe(4);
    expect(await usageOf(owner('somebody else'))).toMatchObject({ totals: { requests: 0 }, rows: [] });
    await expect(usageOf(payer, 'group_by=owner')).rejects.toEqual(refusal('invalid_request', { param: 'group_by' }));
    await expect(usageOf(payer, 'from=2026-13-01')).rejects.toEqual(refusal('invalid_request', { param: 'from' }));
  },
);

test('the log of tool calls is shown to whom it belongs', async () => {
  const [bus] = buses;
  const row = { callId: 'call_1', tool: 'read_file', model: 'gpt', round: 2, source: 'client', outcome: 'error' } as const;
  const numbers = { startedAtMs: Date.parse('2026-11-22T10:00:00Z'), durationMs: 15, bytesIn: 7, bytesOut: 70 };
  bus!.toolCalls.record(owner('caller'), { ...row, ...numbers, sessionId: 's1', errorCode: 'DENIED_BY_USER', approvalWaitMs: 9 });
  bus!.toolCalls.record(owner('caller'), { ...row, ...numbers, callId: 'call_2' });
  const list = (query: string, who = 'caller') => ask(toolCallRoutes({ toolCalls: bus!.toolCalls }), owner(who), query);
  const page = (await list('limit=1')) as { next_cursor: string };
  expect(page).toMatchObject({ object: 'list', data: [{ call_id: 'call_2', session_id: null, error_code: null, approval_wait_ms: null }] });
  expect(await list(`limit=1&cursor=${page.next_cursor}`)).toEqual({
    object: 'list',
    data: [
      {
        ...{ call_id: 'call_1', tool: 'read_file', session_id: 's1', model: 'gpt', round: 2, source: 'client', outcome: 'error' },
        ...{ error_code: 'DENIED_BY_USER', started_at: '2026-11-22T10:00:00.000Z', duration_ms: 15, approval_wait_ms: 9 },
        ...{ bytes_in: 7, bytes_out: 70 },
      },
    ],
    next_cursor: null,
  });
  expect(await list('session_id=s1&tool=read_file')).toMatchObject({ data: [{ call_id: 'call_1' }] });
  expect(await list('', 'other')).toEqual({ object: 'list', data: [], next_cursor: null });
  for (const query of ['limit=0', 'limit=501', 'cursor=x', 'session_id=%20']) {
    await expect(list(query)).rejects.toEqual(refusal('invalid_request', { param: query.split('=')[0] }));
  }
});

test(
  verifies('G4:limits-away', 'while Redis is away a key with limits is refused, one without is let in, and its usage is there later'),
  async () => {
    const [accounting] = replicas({ 'acme/limited': { requests_per_minute: 5 } });
    const payer = { owner: owner('free-spirit') };
    await redis.client.save();
    await redis.kill();
    await eventually('the loss', () => buses[0]!.status() === 'away');
    await expect(accounting.admit({ owner: owner('limited') }, asked())).rejects.toEqual(
      refusal('unavailable', { retryAfterMs: expect.any(Number) }),
    );
    (await accounting.admit(payer, asked())).settle(used());
    await expect(usageOf(payer.owner)).rejects.toEqual(refusal('unavailable'));
    await redis.start();
    await eventually('the usage', async () => {
      const usage = (await usageOf(payer.owner).catch(() => undefined)) as { totals: { requests: number } } | undefined; // not back yet
      return usage?.totals.requests === 1;
    });
  },
);
