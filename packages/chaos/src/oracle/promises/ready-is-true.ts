import type { Promised } from '../violation.js';

export const readyIsTrue: Promised = {
  name: 'ready-is-true',
  says: '/ready and /health tell the truth: 200 where a service can work, and nothing else where it can’t.',
  *judge(story) {
    for (const { target, path, status, truth, detail, at, index } of story.of('probe')) {
      const isWrong = (truth === 'able' && status !== 200) || (truth === 'unable' && status === 200);
      if (isWrong)
        yield { text: `${path} of ${target} is ${String(status)} (${detail ?? ''}), though it is ${truth}`, at, events: [index] };
    }
  },
};
