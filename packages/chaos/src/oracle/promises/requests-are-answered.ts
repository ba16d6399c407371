import { groupBy } from '../grouping.js';
import type { Story, ToldFrame } from '../story.js';
import { timeGiven } from '../time-given.js';
import type { Promised } from '../violation.js';

/** What answers a request, and the field that both have. */
const ANSWERS: Readonly<Record<string, { readonly type: string; readonly id: string }>> = {
  user_message: { type: 'message_accepted', id: 'message_id' },
  tool_result: { type: 'tool_result_ack', id: 'call_id' },
  hitl_decision: { type: 'approval_resolved', id: 'call_id' },
  cancel: { type: 'turn_ended', id: 'turn_id' },
};
/** Answers that come to the asker alone: of these there are never more than requests. */
const PRIVATE = new Set(['message_accepted', 'tool_result_ack', 'error']);
const ANSWER_MS = 5_000;
const HEALING_MS = 10_000;

export const requestsAreAnswered: Promised = {
  name: 'requests-are-answered',
  says: 'A frame that asks for something gets exactly one answer on its connection (G2).',
  *judge(story) {
    for (const [reader, frames] of groupBy(story.frames, ({ observer, connection }) => `${observer}#${String(connection)}`)) {
      const hello = frames.find(({ direction, type }) => direction === 'out' && type === 'hello');
      const isGreeted = frames.some(({ direction, type }) => direction === 'in' && (type === 'welcome' || type === 'error'));
      if (hello !== undefined && !isGreeted && hadTime(story, hello, hello.at))
        yield { text: `${reader}: nothing answers hello`, at: hello.at, events: [hello.index] };
      const requests = frames.filter(({ direction, type }) => direction === 'out' && type in ANSWERS);
      for (const [key, own] of groupBy(requests, ({ type, frame }) => `${type} ${String(frame[ANSWERS[type]!.id])}`)) {
        const answers = frames.filter((frame) => isAnswer(own[0]!, frame));
        const { at, index } = own.at(-1)!;
        if (answers.length === 0 && hadTime(story, own[0]!, at)) yield { text: `${reader}: nothing answers ${key}`, at, events: [index] };
        const spoken = answers.filter(({ type }) => PRIVATE.has(type));
        if (spoken.length > own.length)
          yield {
            text: `${reader}: ${String(spoken.length)} answers to ${String(own.length)} ${key}`,
            at: spoken.at(-1)!.at,
            events: [...own, ...spoken].map((frame) => frame.index),
          };
      }
    }
  },
};

function isAnswer(request: ToldFrame, { direction, frame, index }: ToldFrame): boolean {
  if (direction === 'out' || index < request.index) return false;
  const { type, id } = ANSWERS[request.type]!;
  if (frame.type === 'error') return frame['reply_to_type'] === request.type && frame['reply_to'] === request.frame[id];
  return frame.type === type && frame[id] === request.frame[id];
}

/** Whether the connection stood as long as an answer may take, and nothing was broken. A model that fails is asked for none of these answers. */
function hadTime(story: Story, request: ToldFrame, at: number): boolean {
  const until = at + timeGiven(story, at, ANSWER_MS);
  return !closesBefore(story, request, until) && story.isCalm(at - HEALING_MS, until, /^upstream-/) && until < story.settledAt;
}

const closesBefore = (story: Story, { observer, connection }: ToldFrame, at: number): boolean =>
  story
    .of('socket')
    .some((event) => event.observer === observer && event.connection === connection && event.what === 'closed' && event.at < at);
