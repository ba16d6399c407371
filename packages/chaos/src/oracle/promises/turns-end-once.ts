import { groupBy } from '../grouping.js';
import { logged } from '../merged-log.js';
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
        if (times.length > 1 && !story.wasUnsure && !times.some(({ at }) => story.mayBeLost(at)))
          yield { text: `${turn} ${what} ${String(times.length)} times`, at: times[1]!.at, events: times.map(({ index }) => index) };
    if (story.settledAt === Infinity) return;
    for (const [turn, [first]] of started)
      if (!ended.has(turn) && !story.mayDoubtStore) yield { text: `${turn} has no end`, at: first!.at, events: [first!.index] };
  },
};
