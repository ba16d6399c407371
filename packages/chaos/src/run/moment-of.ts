import type { Moment } from '../plan/plan.js';
import type { ChaosEvent, ChaosFrame } from '../recording/chaos-event.js';

const SENT: Readonly<Record<string, Moment>> = {
  user_message: 'message',
  hitl_decision: 'decision',
  tool_preview: 'preview',
  tool_output: 'output',
  tool_result: 'result',
  cancel: 'cancel',
};
const SEEN: Readonly<Record<string, Moment>> = {
  welcome: 'welcome',
  executor_changed: 'executor',
  message_accepted: 'accepted',
  queue_updated: 'queue',
  turn_steered: 'queue',
  turn_started: 'turn',
  assistant_message: 'text',
  approval_updated: 'preview',
  approval_resolved: 'resolved',
  tool_output: 'output',
  tool_result_ack: 'result-ack',
  turn_ended: 'end',
};

/** The fields that tell two frames of a type apart; of the others it is the `call_id`. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  user_message: ['message_id'],
  message_accepted: ['message_id'],
  assistant_message: ['message_id', 'seq'],
  queue_updated: ['seq'],
  turn_started: ['turn_id'],
  turn_steered: ['turn_id', 'message_ids'],
  turn_ended: ['turn_id'],
  cancel: ['turn_id'],
  tool_output: ['call_id', 'stream', 'offset'],
};

/** How the call of a task is told to be over. */
const OVER: ReadonlySet<unknown> = new Set(['done', 'errored', 'canceled']);

/** The moments that an event is. */
export function momentsOf(event: ChaosEvent): readonly Moment[] {
  switch (event.kind) {
    case 'frame':
      return event.direction === 'out' ? sent(event.frame) : seen(event.frame);
    case 'model-request':
      return ['model'];
    case 'model-end':
      return ['model-end'];
    case 'socket':
      return event.what === 'open' ? ['connect'] : [];
    case 'fault':
      return event.phase === 'begin' ? ['fault'] : [];
    default:
      return [];
  }
}

/** What an event is about: watcher and executor see the same frame, and one that is sent again is no other. Empty where each is its own. */
export function thingOf(event: ChaosEvent): string {
  if (event.kind !== 'frame') return '';
  const { frame, observer } = event;
  const ids = (IDS[frame.type] ?? ['call_id']).map((field) => frame[field]);
  const session = observer.slice(observer.indexOf('/') + 1);
  return ids.every((id) => id === undefined) ? '' : JSON.stringify([session, frame.type, ...ids]);
}

function sent({ type, state }: ChaosFrame): readonly Moment[] {
  if (type === 'tool_ack') return state === 'started' ? ['started'] : ['received'];
  return type in SENT ? [SENT[type]!] : [];
}

function seen({ type, state, status, tool_name: tool }: ChaosFrame): readonly Moment[] {
  // The server runs this tool, so nobody is given a `tool_call` of it.
  if (type === 'tool_status' && tool === 'task') return status === 'calling' ? ['child'] : OVER.has(status) ? ['child-end'] : [];
  if (type !== 'tool_call') return type in SEEN ? [SEEN[type]!] : [];
  return ['call', ...(state === 'waiting_approval' ? (['approval'] as const) : [])];
}
