import { expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);
const { newSession, join } = edge;

const foreign = (name: string) => ({ name, description: 'd', input_schema: { type: 'object' }, tags: ['mcp'] });
const changed = (...tools: readonly unknown[]) => ({ type: 'tools_changed', tools });
const toolsOf = async (session: ReturnType<typeof newSession>): Promise<string> =>
  (await edge.bus.store.readMeta(session))?.executorTools ?? '';

test(verifies('G2:tools-changed', 'the executor says which tools it has from now on, and nobody else'), async () => {
  const session = newSession();
  const executor = await join(session, 'c1');
  executor.send(changed('read_file', foreign('mcp__notes__add')));
  await eventually('the tools are kept', async () => (await toolsOf(session)).includes('mcp__notes__add'));
  const observer = await join(session, 'c2', { tools: [] });
  observer.send(changed('write_file'));
  expect(await observer.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to_type: 'tools_changed' });
  executor.send(changed('read_file'));
  await eventually('the tools are gone', async () => (await toolsOf(session)) === '["read_file"]');
});

test('what is no list of tools is refused by its field, and the list stays', async () => {
  const session = newSession();
  const executor = await join(session, 'c1');
  const before = await toolsOf(session);
  for (const [tools, words] of [
    [[{ name: 'x' }], 'description'],
    [[foreign('read_file')], 'canonical'],
    [[{ ...foreign('big'), description: 'x'.repeat(300_000) }], 'at most 262144'],
  ] as const) {
    executor.send(changed(...tools));
    expect(await executor.next('error')).toMatchObject({ code: 'INVALID_FIELD', message: expect.stringContaining(words) });
  }
  expect(await toolsOf(session)).toBe(before);
});
