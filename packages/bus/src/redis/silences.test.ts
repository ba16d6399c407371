import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { BEAT_MS, SILENT_BEATS, SILENT_MS } from '../heartbeats.js';
import { Silences } from './silences.js';

test('who counts on is alive, and who stops is silent after its beats, not before', () => {
  const silences = new Silences();
  for (let beat = 1; beat <= 10; beat += 1) expect(silences.hear({ one: String(beat), other: String(beat) })).toEqual([]);
  for (let round = 1; round < SILENT_BEATS; round += 1) expect(silences.hear({ one: String(10 + round), other: '10' })).toEqual([]);
  expect(silences.hear({ one: '20', other: '10' })).toEqual(['other']);
});

test('one that came back, or was taken out, begins anew', () => {
  const silences = new Silences();
  for (let round = 0; round < SILENT_BEATS; round += 1) silences.hear({ other: '1' });
  expect(silences.hear({})).toEqual([]);
  expect(silences.hear({ other: '1' })).toEqual([]);
});

test('after an outage of the store everybody is given time to come back, and who does not is found then', () => {
  const silences = new Silences();
  for (let round = 0; round < SILENT_BEATS; round += 1) silences.hear({ other: '1' });
  silences.lose();
  let rounds = 0;
  while (silences.hear({ other: '1' }).length === 0) rounds += 1;
  expect(rounds * BEAT_MS).toBeGreaterThan(2_000 + SILENT_MS - BEAT_MS);
  expect(rounds * BEAT_MS).toBeLessThan(5_000);
});

/** When an observer whose beats come at `phase` finds that the beats of another one stop; `undefined`: never. Times are of a quiet machine. */
const foundAt = ({
  phase,
  gap,
  untilMs,
}: {
  readonly phase: number;
  readonly gap: readonly [number, number];
  readonly untilMs: number;
}) => {
  const silences = new Silences();
  const beatsBefore = (now: number): number =>
    Array.from({ length: Math.ceil(untilMs / BEAT_MS) }, (_, beat) => beat * BEAT_MS).filter(
      (at) => at <= now && (at < gap[0] || at >= gap[1]),
    ).length + (now >= gap[1] ? 1 : 0); // the one that was held up comes at its end
  for (let now = phase; now < untilMs; now += BEAT_MS) if (silences.hear({ other: String(beatsBefore(now)) }).length > 0) return now;
  return undefined;
};

test(
  verifies(
    'R1:silent-in-time',
    'a process that is held up for a second is not taken for dead, and one that died is found within two seconds',
  ),
  () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: BEAT_MS, noNaN: true }), fc.double({ min: 1_000, max: 2_000, noNaN: true }), (phase, begin) => {
        const heldUp = foundAt({ phase, gap: [begin, begin + 1_000], untilMs: 8_000 });
        const died = foundAt({ phase, gap: [begin, Infinity], untilMs: 8_000 });
        return heldUp === undefined && died !== undefined && died - begin <= 2_000 && died - begin >= SILENT_MS - BEAT_MS;
      }),
    );
  },
);
