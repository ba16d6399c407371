import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../test/bus-fixture.js';
import { PUBLISHED_TOOLS_TTL_MS, type PublishedTool } from '../published-tools.js';
import { createKeys } from './keys/keys.js';

const fixture = useBus({ cluster: true });
const tool = (name: string, more: Partial<PublishedTool> = {}): PublishedTool => ({
  ...{ name, description: `does ${name}`, inputSchema: { type: 'object' }, source: 'mcp', access: 'write', tags: ['server:docs'] },
  ...more,
});
const keys = createKeys();

test(
  verifies('S1:published-tools', 'what runtimes say of their tools is read as one list, changes at once, and goes with the runtime'),
  async () => {
    const reader = (await fixture.another()).publishedTools;
    const [one, two] = [(await fixture.another()).publishedTools, (await fixture.another()).publishedTools];
    expect(await reader.read()).toEqual([]);
    const [greet, limited] = [tool('mcp__docs__greet', { uri: 'mcp://docs/greet' }), tool('tides', { source: 'http', tenants: ['acme'] })];
    await one.publish([greet, limited]);
    await two.publish([greet, limited]);
    expect(await reader.read()).toEqual([greet, limited]);
    expect(await fixture.redis.client.zcard(keys.publishedTools)).toBe(2);
    expect(await fixture.redis.client.keys(keys.publishedList('*'))).toHaveLength(1);

    await two.publish([greet, { ...limited, tenants: ['globex'] }]);
    expect((await reader.read()).map(({ name, tenants }) => `${name} ${String(tenants)}`).sort()).toEqual([
      'mcp__docs__greet undefined',
      'tides acme',
      'tides globex',
    ]);
    await one.withdraw();
    expect((await reader.read()).map(({ tenants }) => tenants)).toEqual([undefined, ['globex']]);
    await two.publish([]);
    expect(await reader.read()).toEqual([]);
    await two.withdraw();
    await two.withdraw();
    expect(await fixture.redis.client.exists(keys.publishedTools)).toBe(0);
  },
);

test('the word of a runtime that is killed ends by itself, and a list that Redis lost is said again', async () => {
  const { client } = fixture.redis;
  const reader = (await fixture.another()).publishedTools;
  const runtime = (await fixture.another()).publishedTools;
  const greet = tool('mcp__docs__greet');
  await runtime.publish([greet]);
  for (const key of await client.keys('*published*')) {
    expect(await client.pttl(key)).toBeGreaterThan(PUBLISHED_TOOLS_TTL_MS - 5_000);
    expect(await client.pttl(key)).toBeLessThanOrEqual(PUBLISHED_TOOLS_TTL_MS);
  }
  await client.del(...(await client.keys(keys.publishedList('*'))));
  expect(await reader.read()).toEqual([]);
  await runtime.publish([greet]);
  expect(await reader.read()).toEqual([greet]);
  for (const entry of await client.zrange(keys.publishedTools, '0', '-1')) await client.zadd(keys.publishedTools, '1', entry);
  await eventually('the word ends', async () => (await reader.read()).length === 0);
});
