import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useBus } from '../../test/bus-fixture.js';
import { HANDOVER_TTL_MS, MAX_HANDOVER_BYTES } from '../handovers.js';
import { newId } from '../new-id.js';
import { MAX_SERVER_TOOLS, type ServerTool } from '../server-tools.js';
import { ownerHash, type Owner } from '../session-ref.js';

const fixture = useBus({ cluster: true });
const person = (): Owner => ({ tenant: 'acme', sub: newId('worker') });
const tool = (name: string, more: Partial<ServerTool> = {}): ServerTool => ({
  name,
  description: 'd',
  inputSchema: { type: 'object', properties: {}, required: [] },
  url: 'https://example.com/',
  headers: { authorization: 'Bearer s' },
  tags: [],
  timeoutMs: 1_000,
  ...more,
});

test(
  verifies('S1:server-tools', 'a tool by URL is its owner’s: kept as it was given, replaced by its name, dropped, seen by nobody else'),
  async () => {
    const { serverTools } = fixture.bus;
    const owner = person();
    expect(await serverTools.keep(owner, tool('b'))).toBe('new');
    expect(await serverTools.keep(owner, tool('a', { tags: ['x'] }))).toBe('new');
    expect(await serverTools.keep(owner, tool('b', { description: 'other' }))).toBe('replaced');
    expect(await serverTools.list(owner)).toEqual([tool('a', { tags: ['x'] }), tool('b', { description: 'other' })]);
    expect(await serverTools.list(person())).toEqual([]);
    expect(await serverTools.drop(person(), 'a')).toBe(false);
    expect([await serverTools.drop(owner, 'a'), await serverTools.drop(owner, 'a')]).toEqual([true, false]);
    expect(await serverTools.list(owner)).toHaveLength(1);
  },
);

test(verifies('G4:server-tools', 'a person has at most a hundred tools by URL; one of them can still be replaced'), async () => {
  const { serverTools } = fixture.bus;
  const owner = person();
  for (let index = 0; index < MAX_SERVER_TOOLS; index += 1) await serverTools.keep(owner, tool(`t${String(index)}`));
  expect(await serverTools.keep(owner, tool('more'))).toBe('full');
  expect(await serverTools.keep(owner, tool('t5', { description: 'new' }))).toBe('replaced');
  expect(await serverTools.list(owner)).toHaveLength(MAX_SERVER_TOOLS);
});

test(verifies('S1:handovers', 'rounds are found by each call that was handed over, by their owner, for an hour'), async () => {
  const { handovers } = fixture.bus;
  const owner = person();
  expect(await handovers.keep(owner, ['call_a', 'call_b'], '["1"]')).toBe(true);
  expect(await handovers.keep(owner, ['call_c'], '["2"]')).toBe(true);
  const all = ['call_b', 'call_c', 'call_x', 'call_a', 'call_b'];
  expect(Object.fromEntries(await handovers.find(owner, all))).toEqual({ call_a: '["1"]', call_b: '["1"]', call_c: '["2"]' });
  expect([...(await handovers.find(owner, ['call_b']))]).toEqual([['call_b', '["1"]']]);
  expect((await handovers.find(person(), all)).size).toBe(0);
  expect((await handovers.find(owner, [])).size).toBe(0);
  for (const name of ['call_a', 'call_b', 'call_c']) {
    const left = await fixture.redis.client.pttl(`cl:{own:${ownerHash(owner)}}:handover:${name}`);
    expect(left).toBeGreaterThan(HANDOVER_TTL_MS - 60_000);
    expect(left).toBeLessThanOrEqual(HANDOVER_TTL_MS);
  }
});

test('rounds that are too long are not remembered', async () => {
  const { handovers } = fixture.bus;
  const owner = person();
  expect(await handovers.keep(owner, ['call_a'], 'x'.repeat(MAX_HANDOVER_BYTES + 1))).toBe(false);
  expect((await handovers.find(owner, ['call_a'])).size).toBe(0);
});
