import { expect, test } from 'vitest';
import { BusError, type PublishedTool } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { createRuntimeTools } from './runtime-tools.js';

const tool = (name: string, more: Partial<PublishedTool> = {}): PublishedTool => ({
  ...{ name, description: `does ${name}`, inputSchema: { type: 'object' }, source: 'http', access: 'write', tags: [] },
  ...more,
});
const TOOLS = [
  tool('mcp__docs__greet', { source: 'mcp', uri: 'mcp://docs/greet', tags: ['server:docs', 'readonly'] }),
  tool('web.fetch', { source: 'web', access: 'readonly' }),
  tool('tides', { tenants: ['acme'], description: 'of acme' }),
  tool('tides', { owners: ['globex/ben'], description: 'of ben', tags: ['sea'] }),
  tool('nobody', { tenants: [] }),
];

test(
  verifies(
    'S1:published-audience',
    'what the runtimes run is listed for those who may see it, by where it comes from, and nothing else of it',
  ),
  async () => {
    const tools = createRuntimeTools({ read: async () => TOOLS }, () => 0);
    const list = async (tenant: string, sub: string) =>
      (await tools.list({ tenant, sub })).map(({ name, description, tags }) => [name, description, ...tags]);
    const all = [
      ['mcp__docs__greet', 'does mcp__docs__greet', 'mcp', 'write', 'server:docs'],
      ['web.fetch', 'does web.fetch', 'web', 'readonly'],
    ];
    expect(await list('acme', 'ana')).toEqual([all[0], ['tides', 'of acme', 'http', 'write'], all[1]]);
    expect(await list('globex', 'ben')).toEqual([all[0], ['tides', 'of ben', 'http', 'write', 'sea'], all[1]]);
    expect(await list('globex', 'ana')).toEqual(all);
    const [greet, tides] = await tools.list({ tenant: 'acme', sub: 'ana' });
    expect([greet!.uri, Object.keys(JSON.parse(JSON.stringify(tides)) as object)]).toEqual([
      'mcp://docs/greet',
      ['name', 'description', 'inputSchema', 'tags'],
    ]);
  },
);

test('Redis is asked once a second, however many ask, and again at once where it failed', async () => {
  let reads = 0;
  let now = 0;
  let fails = false;
  const read = async () => {
    reads += 1;
    if (fails) throw new BusError('away');
    return TOOLS;
  };
  const tools = createRuntimeTools({ read }, () => now);
  const ask = () => tools.list({ tenant: 'acme', sub: 'ana' });
  await Promise.all([ask(), ask(), ask()]);
  expect(reads).toBe(1);
  now = 1_000;
  fails = true;
  await expect(ask()).rejects.toThrow('away');
  fails = false;
  expect(await ask()).toHaveLength(3);
  expect(reads).toBe(3);
});
