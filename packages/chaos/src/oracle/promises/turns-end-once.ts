import { groupBy } from '../grouping.js';
import { logged } from '../merged-log.js';
import type { ToldFrame } from '../story.js';
import type { Promised } from '../violation.js';

export const turnsEndOnce: Promised = {
  name: 'turns-end-once',
  says: 'Every turn begins once and ends in exactly one of completed, failed, cancelled (R3).',
  *judge(story) {
    const started = groupBy(logged(story, 'turn_started'), ({ session, frame }) => `${session} ${String(frame['turn_id'])}`);
    const ended = groupBy(logged(story, 'turn_ended'), ({ session, frame }) => `${session} ${String(frame['turn_id'])}`);
    for (const [what, frames] of [
      ['begins', started],
      ['ends', ended],
    ] as const)
      for (const [turn, times] of frames)
        if (times.length > 1 && (isInOneLife(times) || (!story.wasUnsure && !times.some(({ at }) => story.mayBeLost(at)))))
          yield { text: `${turn} ${what} ${String(times.length)} times`, at: times[1]!.at, events: times.map(({ index }) => index) };
    if (story.settledAt === Infinity) return;
    for (const [turn, [first]] of started)
      if (!ended.has(turn) && (!story.mayDoubtStore || first!.epoch === story.lastEpoch(first!.session)))
        yield { text: `${turn} has no end`, at: first!.at, events: [first!.index] };
  },
};

/** Whether two of them stand in the same life of the log: no loss explains that. */
const isInOneLife = (times: readonly ToldFrame[]): boolean => new Set(times.map(({ epoch }) => epoch)).size < times.length;
