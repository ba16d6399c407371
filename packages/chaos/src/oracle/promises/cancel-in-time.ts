import type { Story, ToldFrame } from '../story.js';
import { timeGiven } from '../time-given.js';
import type { Finding, Promised } from '../violation.js';

/** A second, and what a busy machine adds. */
const [PROMISED_MS, LIMIT_MS] = [1_000, 1_600];
/** A model that is slow, silent or refuses keeps nobody from cancelling. */
const UPSTREAM = /^upstream-/;
/** Whatever was broken is mended after this: leases, breakers and retries have their times. */
const HEALING_MS = 10_000;

export const cancelInTime: Promised = {
  name: 'cancel-in-time',
  says: 'A cancel ends the turn within a second, with what its tools do and with the request to its model (L2).',
  *judge(story) {
    for (const cancel of story.said) {
      const { frame, at } = cancel;
      if (frame.type !== 'cancel') continue;
      const limitMs = timeGiven(story, at, PROMISED_MS, LIMIT_MS);
      if (!story.isCalm(at - HEALING_MS, at + limitMs, UPSTREAM)) continue;
      yield* turnGoesOn(story, cancel, limitMs);
      if (at + limitMs < story.settledAt) yield* workGoesOn(story, cancel, at + limitMs);
    }
  },
};

/** Whether a frame is the end of the turn that a cancel names. */
const isEndOf = (cancel: ToldFrame, { type, frame, session }: ToldFrame): boolean =>
  type === 'turn_ended' && session === cancel.session && frame['turn_id'] === cancel.frame['turn_id'];

function* turnGoesOn(story: Story, cancel: ToldFrame, limitMs: number): Generator<Finding> {
  const { frame, at, index, observer, connection, session } = cancel;
  const turn = frame['turn_id'];
  const isRefusal = ({ session: of, type, frame: { reply_to: to, code } }: ToldFrame): boolean =>
    of === session && type === 'error' && to === turn && code === 'UNKNOWN_TURN';
  const answer = story.told.find((told) => told.index > index && (isEndOf(cancel, told) || isRefusal(told)));
  const wasOver = story.told.some((told) => told.index < index && isEndOf(cancel, told));
  const closed = story
    .of('socket')
    .find((event) => event.observer === observer && event.connection === connection && event.what === 'closed');
  if (wasOver || (closed !== undefined && closed.at < at + limitMs)) return;
  const tookMs = (answer?.at ?? Infinity) - at;
  if (tookMs > limitMs)
    yield {
      text: `the cancel of ${String(turn)} in ${session} took ${String(Math.round(tookMs))} ms`,
      at,
      events: [index, ...(answer ? [answer.index] : [])],
    };
}

/** What was begun for the turn before the cancel, and is not over in time. */
function* workGoesOn(story: Story, cancel: ToldFrame, limit: number): Generator<Finding> {
  const name = cancel.session.slice(cancel.session.indexOf('/') + 1);
  const wasCancelled = story.told.some((told) => isEndOf(cancel, told) && told.frame['status'] === 'cancelled');
  if (!wasCancelled) return;
  for (const { id, session, at, index } of story.of('model-request')) {
    if (session !== name || index > cancel.index) continue;
    const end = story.of('model-end').find((event) => event.id === id);
    if ((end?.at ?? Infinity) > limit)
      yield { text: `the model of ${name} is asked on after the cancel`, at, events: [index, cancel.index, ...(end ? [end.index] : [])] };
  }
  const runs = story.of('run').filter(({ session }) => session === name);
  for (const { callId, tool, at, index, observer } of runs.filter(({ what }) => what === 'begin')) {
    const end = runs.find((event) => event.what === 'end' && event.callId === callId && event.index > index);
    const over = Math.min(end?.at ?? Infinity, story.exitOf(observer, index)?.at ?? Infinity); // a client that dies says nothing of an end
    if (index < cancel.index && over > limit)
      yield { text: `${callId} (${tool}) of ${name} runs on after the cancel`, at, events: [index, cancel.index] };
  }
}
