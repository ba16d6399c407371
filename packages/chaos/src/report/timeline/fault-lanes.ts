import type { ChaosEvent } from '../../recording/chaos-event.js';
import { packRows, type Bar, type LaneGroup, type Mark } from './timeline.js';

/** Faults, each from its begin to its end; what begins and ends at once is short, but seen. */
export function faultLanes(events: readonly ChaosEvent[], end: number): LaneGroup {
  const bars = new Map<number, Bar>();
  const marks: Mark[] = [];
  events.forEach((event, index) => {
    if (event.kind === 'store-lost') marks.push({ at: event.at, shape: 'diamond', tone: 'bad', event: index });
    if (event.kind !== 'fault') return;
    const known = bars.get(event.id);
    if (event.phase === 'begin') {
      bars.set(event.id, { from: event.at, to: end, tone: 'warn', label: `${event.name} ${event.target}`, event: index, open: true });
    } else if (known !== undefined) {
      bars.set(event.id, { ...known, to: event.at, open: false });
    }
  });
  const rows = packRows([...bars.values()], end / 8);
  return {
    title: 'Faults',
    lanes: rows.map((row, at) => ({ name: at === 0 ? 'injected' : '', bars: row, marks: at === 0 ? marks : [] })),
  };
}
