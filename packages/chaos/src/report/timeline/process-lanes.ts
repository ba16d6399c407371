import type { ChaosEvent } from '../../recording/chaos-event.js';
import type { Bar, LaneGroup, Mark } from './timeline.js';

interface Life {
  readonly bars: Bar[];
  readonly marks: Mark[];
  /** When what the process does now began. */
  now?: { readonly from: number; readonly event: number; readonly what: 'starting' | 'ready' | 'frozen' };
}

const TONE = { starting: 'soft', ready: 'good', frozen: 'frozen' } as const;
const NEXT = { started: 'starting', ready: 'ready', frozen: 'frozen', thawed: 'ready' } as const;

const close = (life: Life, to: number, open: boolean): void => {
  if (life.now === undefined) return;
  const { from, event, what } = life.now;
  life.bars.push({ from, to, tone: TONE[what], event, open, label: what === 'frozen' ? 'frozen' : undefined });
  life.now = undefined;
};

/** A lane for each process: when it started, was ready, was frozen and ended. A probe that was told no is a mark. */
export function processLanes(events: readonly ChaosEvent[], end: number): LaneGroup {
  const lives = new Map<string, Life>();
  const lifeOf = (name: string): Life => {
    const life = lives.get(name) ?? { bars: [], marks: [] };
    lives.set(name, life);
    return life;
  };
  events.forEach((event, index) => {
    if (event.kind === 'probe' && event.status !== 200) {
      lifeOf(event.target).marks.push({ at: event.at, shape: 'dot', tone: 'warn', event: index });
    }
    if (event.kind !== 'process') return;
    const life = lifeOf(event.name);
    close(life, event.at, false);
    if (event.what === 'exited') life.marks.push({ at: event.at, shape: 'cross', tone: 'bad', event: index });
    else life.now = { from: event.at, event: index, what: NEXT[event.what] };
  });
  return {
    title: 'Processes',
    lanes: [...lives].map(([name, life]) => {
      close(life, end, true);
      return { name, bars: life.bars, marks: life.marks };
    }),
  };
}
