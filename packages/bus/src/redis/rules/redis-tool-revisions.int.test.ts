import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus({ cluster: true });

test(
  verifies('H2:tool-revisions', 'a tool is new when its server says something else of it, also what it said before, and only then'),
  async () => {
    const { toolRevisions } = fixture.bus;
    const note = async (server: string, digests: Readonly<Record<string, string>>) =>
      Object.fromEntries(await toolRevisions.note(server, new Map(Object.entries(digests))));
    const first = await note('one', { a: '1', b: '1' });
    expect(Object.keys(first)).toEqual(['a', 'b']);
    expect(await note('one', { a: '1', b: '1' })).toEqual(first);
    const later = await eventually('time passes', async () => {
      const other = await note('two', { a: String(Math.random()) });
      return other['a']! > first['a']! ? other : undefined;
    });
    expect(later['a']).toBeGreaterThan(first['a']!);
    const changed = await note('one', { a: '2', b: '1' });
    expect(changed['b']).toBe(first['b']);
    expect(changed['a']).toBeGreaterThan(first['a']!);
    expect((await note('one', { a: '1' }))['a']).toBeGreaterThanOrEqual(changed['a']!);
    const many = new Map(Array.from({ length: 1_200 }, (_, n) => [`t${String(n)}`, 'd']));
    expect((await toolRevisions.note('many', many)).size).toBe(1_200);
  },
);
