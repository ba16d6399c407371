import type { StopReason } from '@agentclientprotocol/sdk';
import type { ServerFrameOf } from '@codelab/protocol';

/** How a turn that did not fail ended, in the words of the protocol. */
export function stopReasonOf({ status, stop }: Pick<ServerFrameOf<'turn_ended'>, 'status' | 'stop'>): StopReason {
  if (status === 'cancelled') return 'cancelled';
  return stop === undefined || stop === 'handed_over' ? 'end_turn' : 'max_turn_requests';
}
