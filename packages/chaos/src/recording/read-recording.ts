import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ChaosEvent } from './chaos-event.js';

/** The events of a recording one by one, as they were written. A last line that is not whole (the run was killed) is left out. */
export async function* streamRecording(path: string): AsyncGenerator<ChaosEvent> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
  let number = 0;
  let broken: string | undefined;
  for await (const line of lines) {
    number += 1;
    if (broken !== undefined) throw new Error(broken);
    try {
      yield JSON.parse(line) as ChaosEvent;
    } catch (cause) {
      broken = `Line ${String(number)} of ${path} is no event: ${String(cause)}`;
    }
  }
}

/** All events of a recording, by their time: what other processes recorded comes in a little later than it happened. */
export async function readRecording(path: string): Promise<ChaosEvent[]> {
  const events: ChaosEvent[] = [];
  for await (const event of streamRecording(path)) events.push(event);
  return inTimeOrder(events);
}

/** Stable: events of one moment stay as they were recorded. */
export const inTimeOrder = (events: readonly ChaosEvent[]): ChaosEvent[] => [...events].sort((a, b) => a.at - b.at);
