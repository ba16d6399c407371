import { marksIn } from '../../workload/script/marks.js';
import { groupBy } from '../grouping.js';
import type { Promised } from '../violation.js';

export const effectsAtMostOnce: Promised = {
  name: 'effects-at-most-once',
  says: 'A tool call that changes something takes effect at most once on the disk, whatever dies or repeats, and only where it was run (R2).',
  *judge(story) {
    const unsafe = new Set(
      story.told
        .filter(({ frame }) => frame.type === 'tool_call' && frame['idempotency'] === 'unsafe')
        .map(({ frame }) => frame['call_id']),
    );
    const runs = story.of('run');
    const losses = story.of('store-lost');
    type Begin = (typeof runs)[0];
    /** The store lost that it was run, and the client that knows of it is not the one that runs it now: nobody could say no but the human. */
    const isForgotten = (begin: Begin, before: readonly Begin[]): boolean =>
      losses.some(({ index }) => index < begin.index) &&
      before.every(({ observer, index }) => observer !== begin.observer && begunAnew(begin.session, index, begin.index));
    const begunAnew = (session: string, after: number, until: number): boolean =>
      story.told.some(
        ({ observer, frame, index }) =>
          index > after && index < until && frame.type === 'welcome' && frame['recovered'] === false && observer.endsWith(`/${session}`),
      );
    const forgottenAmong = (begins: readonly Begin[]): number =>
      begins.filter((begin, place) => place > 0 && isForgotten(begin, begins.slice(0, place))).length;
    for (const [call, own] of groupBy(runs, ({ callId }) => callId)) {
      const mismatches = own.filter(({ what, error }) => what === 'end' && error === 'APPROVAL_MISMATCH').length;
      const begins = own.filter(({ what }) => what === 'begin');
      if (unsafe.has(call) && begins.length > 1 + mismatches + forgottenAmong(begins))
        yield {
          text: `${call} (${begins[0]!.tool}) was run ${String(begins.length)} times`,
          at: begins[1]!.at,
          events: begins.map(({ index }) => index),
        };
    }
    for (const [place, effects] of groupBy(story.of('effect'), ({ session, mark }) => `${session} ${mark}`)) {
      const [{ mark, at, what }] = effects as [(typeof effects)[0]];
      const begun = runs.filter((run) => run.what === 'begin' && marksIn(run.args).includes(mark));
      const calls = new Set(begun.map(({ callId }) => callId));
      if (effects.length > calls.size + forgottenAmong(begun))
        yield {
          text: `${place} took effect ${String(effects.length)} times (${what}), by ${String(calls.size)} calls that ran`,
          at,
          events: [...effects, ...begun].map(({ index }) => index),
        };
    }
  },
};
