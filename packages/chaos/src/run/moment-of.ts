import type { Moment } from '../plan/plan.js';
import type { ChaosEvent, ChaosFrame } from '../recording/chaos-event.js';

const SENT: Readonly<Record<string, Moment>> = {
  user_message: 'message',
  hitl_decision: 'decision',
  tool_result: 'result',
  cancel: 'cancel',
};
const SEEN: Readonly<Record<string, Moment>> = {
  message_accepted: 'accepted',
  turn_started: 'turn',
  assistant_message: 'text',
  approval_resolved: 'resolved',
  tool_result_ack: 'result-ack',
  turn_ended: 'end',
};

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

function sent({ type, state }: ChaosFrame): readonly Moment[] {
  if (type === 'tool_ack') return state === 'started' ? ['started'] : ['received'];
  return type in SENT ? [SENT[type]!] : [];
}

function seen({ type, state, tool_name }: ChaosFrame): readonly Moment[] {
  if (type !== 'tool_call') return type in SEEN ? [SEEN[type]!] : [];
  return ['call', ...(state === 'waiting_approval' ? (['approval'] as const) : []), ...(tool_name === 'task' ? (['child'] as const) : [])];
}
