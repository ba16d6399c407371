import { groupBy } from '../grouping.js';
import { placeOf } from '../merged-log.js';
import type { ToldFrame } from '../story.js';
import type { Promised } from '../violation.js';

const IDS = ['turn_id', 'call_id', 'message_id', 'status', 'outcome', 'fence', 'args_sha256'];

/** What a frame says, as far as it is the same for everybody. An open call that comes again shows its present state. */
const sayingOf = ({ frame }: ToldFrame): string => `${frame.type} ${IDS.map((name) => JSON.stringify(frame[name] ?? '')).join(' ')}`;

export const logAgrees: Promised = {
  name: 'log-agrees',
  says: 'The same number in the same life of a log is the same frame, whoever is told it, from whatever gateway, before and after any fault (G3).',
  *judge(story) {
    const numbered = story.told.filter(
      ({ frame, epoch }) =>
        typeof frame['seq'] === 'number' && frame.type !== 'welcome' && frame['redelivered'] !== true && epoch !== undefined,
    );
    for (const [place, frames] of groupBy(numbered, placeOf)) {
      const [first] = frames;
      const other = frames.find((frame) => sayingOf(frame) !== sayingOf(first!));
      if (other !== undefined)
        yield {
          text: `${place} is ${sayingOf(first!)} to ${first!.observer}, and ${sayingOf(other)} to ${other.observer}`,
          at: other.at,
          events: [first!.index, other.index],
        };
    }
  },
};
