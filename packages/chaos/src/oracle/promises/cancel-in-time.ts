import type { Promised } from '../violation.js';

/** A second, and what a busy machine adds. */
const LIMIT_MS = 1_600;
/** Whatever was broken is mended after this: leases, breakers and retries have their times. */
const HEALING_MS = 10_000;

export const cancelInTime: Promised = {
  name: 'cancel-in-time',
  says: 'A cancel ends the turn within a second.',
  *judge(story) {
    for (const { frame, at, index, observer, connection, session } of story.said) {
      if (frame.type !== 'cancel' || !story.isCalm(at - HEALING_MS, at + LIMIT_MS)) continue;
      const turn = frame['turn_id'];
      const answer = story.told.find(
        (told) =>
          told.index > index &&
          told.session === session &&
          ((told.type === 'turn_ended' && told.frame['turn_id'] === turn) || (told.type === 'error' && told.frame['reply_to'] === turn)),
      );
      const before = story.told.some(
        (told) => told.index < index && told.session === session && told.type === 'turn_ended' && told.frame['turn_id'] === turn,
      );
      const closed = story
        .of('socket')
        .find((event) => event.observer === observer && event.connection === connection && event.what === 'closed');
      if (before || (closed !== undefined && closed.at < at + LIMIT_MS)) continue;
      const tookMs = (answer?.at ?? Infinity) - at;
      if (tookMs > LIMIT_MS)
        yield {
          text: `the cancel of ${String(turn)} in ${session} took ${String(Math.round(tookMs))} ms`,
          at,
          events: [index, ...(answer ? [answer.index] : [])],
        };
    }
  },
};
