import { readPlan } from '../../workload/script/conversation-plan.js';
import { textOf } from '../../workload/model/answer.js';
import { firstOfEach, groupBy } from '../grouping.js';
import { logged } from '../merged-log.js';
import type { Promised } from '../violation.js';

/** What the scripted model says where nobody planned an answer. */
const UNPLANNED = ['That was all.', 'There is nothing to do.'];

export const textIsWhole: Promised = {
  name: 'text-is-whole',
  says: 'A completed turn has one final text, its pieces make the whole, and it is what the model said (L3).',
  *judge(story) {
    const planned = new Set(
      story.said.flatMap(({ frame }) =>
        frame.type === 'user_message' ? (readPlan(textOf(frame['content'])) ?? []).map(({ text = '' }) => text) : [],
      ),
    );
    const finals = logged(story, 'assistant_message').filter(({ frame }) => frame['is_final'] === true);
    for (const { frame, session, at, index } of finals) {
      const content = String(frame['content']);
      if (!planned.has(content) && !UNPLANNED.includes(content))
        yield { text: `${session} says what the model did not: ${JSON.stringify(content.slice(0, 200))}`, at, events: [index] };
    }
    const replays = story.told.filter(({ type, observer }) => type === 'assistant_message' && observer.startsWith('replay/'));
    for (const [message, pieces] of groupBy(replays, ({ session, frame }) => `${session} ${String(frame['message_id'])}`)) {
      const end = pieces.find(({ frame }) => frame['is_final'] === true);
      const whole = firstOfEach(pieces, ({ frame }) => String(frame['seq']))
        .map(({ frame }) => String(frame['token']))
        .join('');
      if (end !== undefined && whole !== end.frame['content'])
        yield {
          text: `the pieces of ${message} make ${JSON.stringify(whole.slice(0, 200))}, and the whole is ${JSON.stringify(String(end.frame['content']).slice(0, 200))}`,
          at: end.at,
          events: pieces.map(({ index }) => index),
        };
    }
  },
};
