import type { FrameHead } from '@codelab/protocol';
import type { CancelRequested, Decided, Delivered, Removed, Settled } from '../../session-store.js';
import { BusError } from '../../bus-error.js';
import { loggedFrame } from './decode-log.js';

/** What a script answers: a code, then what belongs to it. Negative codes refuse. */
export type ScriptReply = readonly [code: number, ...rest: (string | number)[]];

const refusal = <Code>(
  script: string,
  codes: Readonly<Record<number, Code>>,
  code: number,
): { readonly kind: 'refused'; readonly code: Code } => {
  const meaning = codes[code];
  if (meaning === undefined) throw new BusError(`${script} answered ${String(code)}, which is not in its table`);
  return { kind: 'refused', code: meaning };
};

const DELIVER = { [-1]: 'SESSION_NOT_FOUND', [-2]: 'BUSY', [-3]: 'QUEUE_FULL', [-4]: 'OVERLOADED', [-5]: 'INVALID_FIELD' } as const;
const SETTLE = { [-1]: 'UNKNOWN_CALL', [-2]: 'FORBIDDEN', [-3]: 'OVERLOADED', [-4]: 'INVALID_FIELD' } as const;
const OUTCOME = { 1: 'accepted', 2: 'duplicate', 3: 'stale' } as const;
const DECIDE = { [-1]: 'UNKNOWN_CALL', [-2]: 'ALREADY_RESOLVED', [-3]: 'EXPIRED', [-4]: 'DIGEST_MISMATCH', [-5]: 'OVERLOADED' } as const;
const CANCEL = { [-1]: 'UNKNOWN_TURN' } as const;
const REMOVE = { [-1]: 'UNKNOWN_MESSAGE', [-2]: 'ALREADY_RESOLVED' } as const;

/** Answer of `deliver-message`. */
export function toDelivered([code, , answer]: ScriptReply, messageId: string): Delivered {
  if (code < 0) return refusal('deliver-message', DELIVER, code);
  const [turnId = '', state = '', position = ''] = String(answer).split(' ');
  return {
    ...{ kind: 'accepted', messageId, turnId, state: state as 'started' | 'queued' | 'steered' },
    ...(state === 'queued' ? { position: Number(position) } : {}),
  };
}

/** Answer of `settle-call`. */
export const toSettled = ([code]: ScriptReply): Settled =>
  code < 0 ? refusal('settle-call', SETTLE, code) : { kind: 'settled', outcome: OUTCOME[code as keyof typeof OUTCOME] };

/** Answer of `decide-call`, to whom sent this frame. */
export const toDecided = ([code, , seq]: ScriptReply, head: FrameHead, text: string): Decided =>
  code < 0 ? refusal('decide-call', DECIDE, code) : { kind: 'decided', frame: loggedFrame(Number(seq), head, text) };

/** Answer of `request-cancel`. */
export const toCancelRequested = ([code, , turnId]: ScriptReply): CancelRequested =>
  code < 0 ? refusal('request-cancel', CANCEL, code) : { kind: 'cancelling', turnId: String(turnId) };

/** Answer of `remove-queued`. */
export const toRemoved = ([code, , seq, text]: ScriptReply): Removed =>
  code < 0
    ? refusal('remove-queued', REMOVE, code)
    : { kind: 'removed', frame: { seq: Number(seq), head: { type: 'queue_updated' }, text: String(text) } };
