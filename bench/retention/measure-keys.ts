import { KEY_KINDS, matchKey } from '@codelab/bus/redis';
import type { Redis } from 'ioredis';

/** What the keys of a kind take together. */
export interface KindUse {
  readonly keys: number;
  readonly bytes: number;
}

const KINDS = KEY_KINDS.filter(({ type }) => type !== 'channel').map((kind) => ({ name: kind.key, pattern: matchKey(kind) }));

/** Bytes that Redis says keys take, with what it needs to keep them, by their kind. */
export async function measureKeys(redis: Redis): Promise<ReadonlyMap<string, KindUse>> {
  const uses = new Map<string, KindUse>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', 1_000);
    const sizes = await Promise.all(keys.map((key) => redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')));
    keys.forEach((key, place) => {
      const name = KINDS.find(({ pattern }) => pattern.test(key))?.name ?? key;
      const { keys: count, bytes } = uses.get(name) ?? { keys: 0, bytes: 0 };
      uses.set(name, { keys: count + 1, bytes: bytes + Number(sizes[place] ?? 0) });
    });
    cursor = next;
  } while (cursor !== '0');
  return uses;
}

/** A row for each kind: keys, bytes, and bytes for each of so many sessions. */
export const renderUses = (uses: ReadonlyMap<string, KindUse>, sessions: number): string =>
  [
    '| key | keys | bytes | bytes for each session |',
    '|---|---|---|---|',
    ...[...uses]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { keys, bytes }]) => `| \`${name}\` | ${String(keys)} | ${String(bytes)} | ${(bytes / sessions).toFixed(0)} |`),
  ].join('\n');
