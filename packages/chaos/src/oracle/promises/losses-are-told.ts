import { groupBy } from '../grouping.js';
import type { EventOf } from '../../recording/chaos-event.js';
import type { Placed, Story, ToldFrame } from '../story.js';
import { timeGiven } from '../time-given.js';
import type { Finding, Promised } from '../violation.js';

export const lossesAreTold: Promised = {
  name: 'losses-are-told',
  says: 'A log whose end the store lost gets a new epoch, no other does, and every client is told.',
  *judge(story) {
    for (const [session, frames] of groupBy(story.frames, ({ session }) => session)) {
      const highest = new Map<string, { seq: number; index: number }>();
      /** By connection: how far each life of the log was known to be when it said hello. */
      const atHello = new Map<string, ReadonlyMap<string, { seq: number; index: number }>>();
      let before: string | undefined;
      for (const { frame, epoch = '', at, index, observer, connection, direction } of frames) {
        const reader = `${observer}#${String(connection)}`;
        if (direction === 'out') {
          if (frame.type === 'hello') atHello.set(reader, new Map(highest));
          continue;
        }
        if (story.observer(observer)?.role === 'thief') continue;
        const seq = Number(frame['seq']);
        if (frame.type === 'welcome') {
          const known = atHello.get(reader)?.get(epoch);
          atHello.delete(reader); // a welcome that comes again may be older than what others were told meanwhile
          if (known !== undefined && seq < known.seq)
            yield {
              text: `${session}: the log of epoch ${epoch} went back from ${String(known.seq)} to ${String(seq)}`,
              at,
              events: [known.index, index],
            };
          if (before !== undefined && before !== epoch && !highest.has(epoch) && !story.mayDoubtStore)
            yield { text: `${session} has another epoch though nothing was lost`, at, events: [index] };
          before = epoch;
        }
        if (Number.isInteger(seq) && seq > (highest.get(epoch)?.seq ?? -1)) highest.set(epoch, { seq, index });
      }
      yield* untold(
        story,
        session,
        frames.filter(({ direction }) => direction === 'in'),
      );
    }
    yield* saidToBeOver(story);
  },
};

/** Nobody deletes a session before all is settled: whoever is told that it is over was told of a loss as if somebody had wanted it. */
function* saidToBeOver(story: Story): Generator<Finding> {
  for (const { observer, code, what, at, index } of story.of('socket')) {
    const role = story.observer(observer)?.role;
    if (what !== 'closed' || code !== NORMAL || at >= story.settledAt || role === 'auditor' || role === undefined) continue;
    if (story.isTorn(at)) continue;
    yield { text: `${observer} was told that ${story.sessionOf(observer)} is over, and nobody ended it`, at, events: [index] };
  }
}

/** The close code of what is over by somebody's will. */
const NORMAL = 1000;

/** Time for every connection to hear of a new life of the log: they are compared every 2 s. */
const HEARD_MS = 5_000;

/**
 * When the last thing was well again, before `until`, that may have kept somebody from hearing, or the store from losing: what a frozen Redis
 * is told happens when it is thawed.
 */
const wellSince = (story: Story, until: number): number =>
  [
    ...story.faults.filter(({ name }) => !name.startsWith('upstream-')).map(({ end }) => end),
    ...story.of('process').flatMap(({ what, at }) => (what === 'ready' || what === 'thawed' ? [at] : [])),
  ]
    .filter((at) => at <= until)
    .reduce((latest, at) => Math.max(latest, at), -Infinity);

function* untold(story: Story, session: string, frames: readonly ToldFrame[]): Generator<Finding> {
  const last = frames.findLast(({ type, observer }) => type === 'welcome' && story.observer(observer)?.role === 'auditor');
  if (last === undefined) return;
  const first = frames.find(({ epoch, observer }) => epoch === last.epoch && story.observer(observer)?.role !== 'auditor');
  // A session that lost nothing begins its new life when somebody next asks for it. Of one whose log is shorter everybody hears without that.
  const isShorter = frames.some(({ frame, epoch }) => epoch !== last.epoch && Number(frame['seq']) > Number(last.frame['seq']));
  const began = Math.max(first?.at ?? (isShorter ? story.of('store-lost').at(-1)?.at : undefined) ?? last.at, wellSince(story, last.at));
  const heardMs = timeGiven(story, began, HEARD_MS);
  for (const [reader, own] of groupBy(frames, ({ observer, connection }) => `${observer}#${String(connection)}`)) {
    const { observer, connection, epoch, index } = own.at(-1)!;
    const role = story.observer(observer)?.role;
    if (role === 'auditor' || role === 'thief' || epoch === last.epoch || epoch === undefined) continue;
    // A client that was killed says nothing of the end of its connection, but begins another one: the next process of it counts from 1 again.
    const isItsEnd = (event: Placed<EventOf<'socket'>>): boolean =>
      event.connection > connection ||
      (event.connection === connection ? event.what === 'closed' : event.index > index && event.what !== 'closed');
    const closed = story.of('socket').find((event) => event.observer === observer && isItsEnd(event)) ?? story.exitOf(observer, index);
    if ((closed?.at ?? Infinity) < story.settledAt || last.at - began < heardMs) continue;
    yield { text: `${reader} was not told of the new epoch of ${session}`, at: last.at, events: [index, last.index] };
  }
}
