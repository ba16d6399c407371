import { groupBy } from '../grouping.js';
import type { Promised } from '../violation.js';

export const logInOrder: Promised = {
  name: 'log-in-order',
  says: 'Every observer is told the log in the order of seq, without gap or repeat, over reconnects, snapshots and epochs (G3).',
  *judge(story) {
    for (const [reader, frames] of groupBy(story.frames, ({ observer, connection }) => `${observer}#${String(connection)}`)) {
      let last: number | undefined;
      let resume: number | undefined;
      for (const { frame, direction, at, index } of frames) {
        if (direction === 'out') {
          if (frame.type === 'hello') resume = (frame['resume'] as { seq?: number } | undefined)?.seq;
          continue;
        }
        const { seq, prev_seq: previous, redelivered } = frame as { seq?: number; prev_seq?: number; redelivered?: boolean };
        if (frame.type === 'welcome') {
          last = frame['recovered'] === true ? (resume ?? 0) : seq;
          continue;
        }
        if (seq === undefined || (redelivered === true && seq <= (last ?? seq))) continue; // an open call comes again with its old number
        if (last === undefined) {
          yield { text: `${reader} is told ${frame.type} ${String(seq)} before any welcome`, at, events: [index] };
          continue;
        }
        if (seq <= last)
          yield { text: `${reader} is told ${frame.type} ${String(seq)} after ${String(last)}: a repeat`, at, events: [index] };
        else if ((previous ?? seq - 1) > last)
          yield {
            text: `${reader} is told ${frame.type} ${String(seq)} (prev ${String(previous ?? seq - 1)}) after ${String(last)}: a gap`,
            at,
            events: [index],
          };
        last = Math.max(last, seq);
      }
    }
  },
};
