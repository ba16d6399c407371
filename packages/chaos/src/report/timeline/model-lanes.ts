import type { ChaosEvent } from '../../recording/chaos-event.js';
import { packRows, type Bar, type LaneGroup, type Tone } from './timeline.js';

const TONES: Readonly<Record<string, Tone>> = { answered: 'good', cut: 'warn', 'hung-up': 'warn', failed: 'bad' };

/** Requests that the model's upstream got, from the request to how it ended. */
export function modelLanes(events: readonly ChaosEvent[], end: number): LaneGroup {
  const bars = new Map<number, Bar>();
  events.forEach((event, index) => {
    if (event.kind === 'model-request') {
      bars.set(event.id, { from: event.at, to: end, tone: 'soft', event: index, open: true, label: String(event.id) });
    }
    const known = event.kind === 'model-end' ? bars.get(event.id) : undefined;
    if (event.kind !== 'model-end' || known === undefined) return;
    bars.set(event.id, { ...known, to: event.at, tone: TONES[event.how] ?? 'plain', open: false });
  });
  const rows = packRows([...bars.values()], end / 200);
  return { title: 'Model requests', lanes: rows.map((row, at) => ({ name: at === 0 ? 'upstream' : '', bars: row, marks: [] })) };
}
