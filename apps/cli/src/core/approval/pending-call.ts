import type { Approval, Preview } from '@codelab/protocol';

/** A call that waits for a decision, with all that a decision needs. */
export interface PendingCall {
  readonly callId: string;
  readonly toolName: string;
  /** JSON text, as it came. */
  readonly args: string;
  /** The digest that the decision is bound to (H2). */
  readonly argsSha256: string;
  /** `client`: this client asks for its own reasons, whatever the servers decided. */
  readonly origin: 'server' | 'client';
  readonly approval?: Approval | undefined;
  readonly preview?: Preview | undefined;
  /** `args` are the human's: the servers don't have them until they are approved. */
  readonly isEdited?: true;
  /** Why the last decision did not count. */
  readonly refusal?: string | undefined;
}
