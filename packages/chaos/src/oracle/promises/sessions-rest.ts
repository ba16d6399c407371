import type { Promised } from '../violation.js';

interface Snapshot {
  readonly turn?: { readonly turn_id?: string };
  readonly open_calls?: readonly object[];
  readonly queue?: readonly object[];
}

export const sessionsRest: Promised = {
  name: 'sessions-rest',
  says: 'Once nothing is broken any more, every turn goes on to its end by itself: no session hangs (R3, R4).',
  *judge(story) {
    for (const { frame, session, at, index, observer } of story.told) {
      if (frame.type !== 'welcome' || story.observer(observer)?.role !== 'auditor') continue;
      const { turn, open_calls: calls = [], queue = [] } = (frame['snapshot'] ?? {}) as Snapshot;
      const left = [
        ...(turn === undefined ? [] : [`the turn ${turn.turn_id ?? ''} runs`]),
        ...(calls.length === 0 ? [] : [`${String(calls.length)} calls are open`]),
        ...(queue.length === 0 ? [] : [`${String(queue.length)} messages wait`]),
      ];
      if (left.length > 0) yield { text: `${session} never comes to rest: ${left.join(', ')}`, at, events: [index] };
    }
    if (story.settledAt === Infinity) return;
    const read = new Set(
      story.told
        .filter(({ type, observer }) => type === 'welcome' && story.observer(observer)?.role === 'auditor')
        .map(({ session }) => session),
    );
    const used = new Set(story.told.filter(({ type }) => type === 'turn_started').map(({ session }) => session));
    for (const session of used)
      if (!read.has(session) && !story.lostSomething)
        yield { text: `${session} can't be read at the end`, at: story.settledAt, events: [] };
  },
};
