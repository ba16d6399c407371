import { groupBy } from '../grouping.js';
import type { Story } from '../story.js';
import type { Finding, Promised } from '../violation.js';

export const logInOrder: Promised = {
  name: 'log-in-order',
  says: 'Every observer is told the log in the order of seq, without gap or repeat, over reconnects, snapshots and epochs (G3).',
  *judge(story) {
    yield* resumesTooFar(story);
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

/** A client that goes on behind what it was ever told passes over frames, and no server could know. */
function* resumesTooFar(story: Story): Generator<Finding> {
  for (const [observer, frames] of groupBy(story.frames, (frame) => frame.observer)) {
    const highest = new Map<string, number>();
    for (const { frame, direction, epoch = '', at, index } of frames) {
      const seq = Number(frame['seq']);
      if (direction === 'in' && Number.isInteger(seq)) highest.set(epoch, Math.max(seq, highest.get(epoch) ?? 0));
      const resume = direction === 'out' && frame.type === 'hello' ? (frame['resume'] as Resume | undefined) : undefined;
      if (resume?.epoch !== undefined && highest.has(resume.epoch) && (resume.seq ?? 0) > highest.get(resume.epoch)!)
        yield {
          text: `${observer} goes on after ${String(resume.seq)}, and was told no more than ${String(highest.get(resume.epoch))}`,
          at,
          events: [index],
        };
    }
  }
}

interface Resume {
  readonly epoch?: string;
  readonly seq?: number;
}
