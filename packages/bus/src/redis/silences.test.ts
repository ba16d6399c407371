import { expect, test } from 'vitest';
import { BEAT_MS, SILENT_MS } from '../heartbeats.js';
import { Silences } from './silences.js';

const ROUNDS = SILENT_MS / BEAT_MS;

test('who counts on is alive, and who stops is silent after its time, not before', () => {
  const silences = new Silences();
  let now = 7_000_000;
  const hear = (counts: Record<string, string>): string[] => silences.hear(counts, (now += BEAT_MS));
  for (let beat = 1; beat <= 10; beat += 1) expect(hear({ one: String(beat), other: String(beat) })).toEqual([]);
  for (let round = 1; round < ROUNDS; round += 1) expect(hear({ one: String(10 + round), other: '10' })).toEqual([]);
  expect(hear({ one: '20', other: '10' })).toEqual(['other']);
});

test('one that was never heard to count is given its time, too', () => {
  const silences = new Silences();
  expect(silences.hear({ old: '7' }, 0)).toEqual([]);
  expect(silences.hear({ old: '7' }, SILENT_MS / 2)).toEqual([]);
});

test('a store that was away makes nobody look dead', () => {
  const silences = new Silences();
  silences.hear({ other: '1' }, 0);
  expect(silences.hear({ other: '1' }, 60_000)).toEqual([]); // a minute without a word from the store
  expect(silences.hear({ other: '2' }, 60_000 + BEAT_MS)).toEqual([]);
});

test('one that came back, or was taken out, begins anew', () => {
  const silences = new Silences();
  for (let now = 0; now < SILENT_MS; now += BEAT_MS) silences.hear({ other: '1' }, now);
  expect(silences.hear({}, SILENT_MS)).toEqual([]);
  expect(silences.hear({ other: '1' }, SILENT_MS + BEAT_MS)).toEqual([]);
});
