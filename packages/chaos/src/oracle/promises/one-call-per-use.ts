import { marksIn, originalOf } from '../../workload/script/marks.js';
import { groupBy } from '../grouping.js';
import type { Promised } from '../violation.js';

export const oneCallPerUse: Promised = {
  name: 'one-call-per-use',
  says: 'What a model asks for once becomes one call: a step that is computed again is the same step (R1).',
  *judge(story) {
    const calls = story.told.filter(
      ({ frame }) => frame.type === 'tool_call' && frame['tool_name'] !== 'task' && frame['runs_at'] === undefined,
    );
    const uses = calls.flatMap((call) => marksIn(call.frame['args']).map((mark) => ({ call, use: `${call.session} ${originalOf(mark)}` })));
    for (const [use, own] of groupBy(uses, ({ use }) => use)) {
      const ids = groupBy(own, ({ call }) => String(call.frame['call_id']));
      // A call of a task may come before the snapshot that names the new life.
      const sure = own.filter(({ call }) => story.isSureOfEpoch(call));
      const isInOneLife = [...groupBy(sure, ({ call }) => call.epoch ?? '').values()].some(
        (some) => new Set(some.map(({ call }) => call.frame['call_id'])).size > 1,
      );
      if (ids.size > 1 && (isInOneLife || !story.lostSomething))
        yield {
          text: `${use} became ${String(ids.size)} calls: ${[...ids.keys()].join(', ')}`,
          at: own.at(-1)!.call.at,
          events: [...ids.values()].map(([first]) => first!.call.index),
        };
    }
  },
};
