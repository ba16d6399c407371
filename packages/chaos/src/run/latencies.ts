import type { ChaosEvent } from '../recording/chaos-event.js';

/** What a client said, what answers it, and by which field they belong together. */
const EXCHANGES = [
  { name: 'message to acceptance', said: 'user_message', answer: 'message_accepted', by: 'message_id' },
  { name: 'decision to its announcement', said: 'hitl_decision', answer: 'approval_resolved', by: 'call_id' },
  { name: 'result to acknowledgement', said: 'tool_result', answer: 'tool_result_ack', by: 'call_id' },
] as const;
const RECONNECTING = 'lost connection to welcome';

/** How long clients waited in a run, faults included, in milliseconds, by what for. What was never answered is not in it. */
export function latenciesOf(events: readonly ChaosEvent[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const since = new Map<string, number>();
  const begin = (key: string, at: number): void => void (since.has(key) || since.set(key, at));
  const end = (name: string, key: string, at: number): void => {
    const began = since.get(key);
    if (began === undefined) return;
    since.delete(key);
    const samples = found.get(name);
    if (samples === undefined) found.set(name, [at - began]);
    else samples.push(at - began);
  };
  for (const event of events) {
    if (event.kind === 'socket' && event.what === 'closed') begin(`${RECONNECTING} ${event.observer}`, event.at);
    if (event.kind !== 'frame') continue;
    const { observer, direction, frame, at } = event;
    if (frame.type === 'welcome') end(RECONNECTING, `${RECONNECTING} ${observer}`, at);
    for (const { name, said, answer, by } of EXCHANGES) {
      const key = `${name} ${observer} ${String(frame[by])}`;
      if (direction === 'out' && frame.type === said) begin(key, at);
      if (direction === 'in' && frame.type === answer) end(name, key, at);
    }
  }
  return found;
}
