import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { sessionRef, type StepRequest } from '@codelab/bus';
import { HistoryCache, type HistorySource } from './history-cache.js';

const item = (n: number, at = 0) => JSON.stringify({ role: 'note', content: `n${n}`, at_ms: at });

/** A session whose history is `texts`, counting what is read of it. */
function session(name: string, texts: readonly string[]): HistorySource & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    reads,
    ref: sessionRef({ tenant: 't', sub: 'u' }, name),
    request: { historyVersion: texts.length } as StepRequest,
    readHistory: async (from) => {
      reads.push(from);
      return texts.slice(from);
    },
  };
}

const sidOf = (name: string): string => session(name, []).ref.sid;

const contents = async (cache: HistoryCache, source: HistorySource) =>
  (await cache.read(source)).items.map((read) => (read.role === 'note' ? read.content : ''));

test('a second step reads only what is new, and the last item that is known', async () => {
  const cache = new HistoryCache(100_000);
  const first = session('s', [item(1), item(2)]);
  expect(await contents(cache, first)).toEqual(['n1', 'n2']);
  const second = session('s', [item(1), item(2), item(3), item(4)]);
  expect(await contents(cache, second)).toEqual(['n1', 'n2', 'n3', 'n4']);
  expect([first.reads, second.reads]).toEqual([[0], [1]]);
});

test('a step that is repeated reads one item', async () => {
  const cache = new HistoryCache(100_000);
  await cache.read(session('s', [item(1), item(2)]));
  const again = session('s', [item(1), item(2)]);
  expect(await contents(cache, again)).toEqual(['n1', 'n2']);
  expect(again.reads).toEqual([1]);
});

test('a session that was removed and begun again is read from its beginning', async () => {
  const cache = new HistoryCache(100_000);
  await cache.read(session('s', [item(1), item(2)]));
  const other = session('s', [item(7), item(8, 99), item(9)]);
  expect(await contents(cache, other)).toEqual(['n7', 'n8', 'n9']);
  const shorter = session('s', [item(5)]);
  expect(await contents(cache, shorter)).toEqual(['n5']);
  expect([other.reads, shorter.reads]).toEqual([[1, 0], [0]]);
});

test('sessions do not see each other', async () => {
  const cache = new HistoryCache(100_000);
  await cache.read(session('a', [item(1)]));
  expect(await contents(cache, session('b', [item(2)]))).toEqual(['n2']);
});

test('the session served longest ago goes first; one that is too large is not kept', async () => {
  const two = [item(1), item(2)];
  const cache = new HistoryCache((two.join('').length + 2 * 600) * 2);
  for (const name of ['a', 'b', 'a', 'c']) await cache.read(session(name, two));
  const reads = async (name: string, texts = two) => {
    const source = session(name, texts);
    await cache.read(source);
    return source.reads;
  };
  expect([await reads('a'), await reads('c'), await reads('b')]).toEqual([[1], [1], [0]]);
  const large = [...two, ...two, ...two];
  expect([await reads('d', large), await reads('d', large)]).toEqual([[0], [0]]);
  expect([await reads('c'), await reads('b')]).toEqual([[1], [1]]);
});

test(verifies('G4:histories-forgotten', 'what was not served for ten minutes goes when another one comes, and is read anew'), async () => {
  let nowMs = 0;
  const cache = new HistoryCache(1e9, () => nowMs);
  const two = [item(1), item(2)];
  const reads = async (name: string, atMs: number) => {
    nowMs = atMs;
    const source = session(name, two);
    await cache.read(source);
    return source.reads;
  };
  expect([await reads('a', 0), await reads('b', 300_000), await reads('a', 500_000)]).toEqual([[0], [0], [1]]);
  expect(await reads('c', 950_000)).toEqual([0]);
  expect([cache.readsFrom(sidOf('a')), cache.readsFrom(sidOf('b'))]).toEqual([1, 0]);
});

test('an empty history is one', async () => {
  const cache = new HistoryCache(1_000);
  expect(await contents(cache, session('s', []))).toEqual([]);
  expect(await contents(cache, session('s', [item(1)]))).toEqual(['n1']);
});

test('a history of 10 MB does not hold up others', async () => {
  const texts = Array.from({ length: 100 }, (_, n) => JSON.stringify({ role: 'note', content: `${n} ${'é"\n'.repeat(25_000)}`, at_ms: n }));
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  await new HistoryCache(1e9).read(session('s', texts));
  reading = false;
  expect(turns).toBeGreaterThan(10);
});
