import type { Story } from '../story.js';
import type { Promised } from '../violation.js';

export const readyIsTrue: Promised = {
  name: 'ready-is-true',
  says: '/ready and /health tell the truth: 200 where a service can work, and nothing else where it can’t.',
  *judge(story) {
    const probes = story.of('probe');
    for (const { target, path, status, truth, detail, at, index } of probes) {
      if (truth === 'able' && status !== 200 && isGoing(story, target, at)) continue;
      const next = probes.find((probe) => probe.index > index && probe.target === target && probe.path === path);
      if (status === 0 && next?.status === 200) continue; // one answer in time missing says that the machine is busy
      const isWrong = (truth === 'able' && status !== 200) || (truth === 'unable' && status === 200);
      if (isWrong)
        yield { text: `${path} of ${target} is ${String(status)} (${detail ?? ''}), though it is ${truth}`, at, events: [index] };
    }
  },
};

/** A service that was told to stop drains before it exits, and one that was killed is missed a moment later. */
const GOING_MS = 20_000;

const isGoing = (story: Story, target: string, at: number): boolean =>
  story
    .of('process')
    .some(
      ({ name, what, at: then }) => name === target && (what === 'exited' || what === 'frozen') && then > at - 500 && then < at + GOING_MS,
    );
