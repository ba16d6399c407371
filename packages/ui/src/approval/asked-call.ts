import type { Approval, Preview } from '@codelab/protocol';

/** A call that waits for a decision, wherever it was heard of. */
export interface AskedCall {
  readonly callId: string;
  readonly toolName: string;
  /** JSON text. */
  readonly args: string;
  /** What a decision is bound to; '' where it isn't known. */
  readonly argsSha256: string;
  readonly approval?: Approval | undefined;
  readonly preview?: Preview | undefined;
  /** A program wants it, through llm-proxy. */
  readonly program?: true | undefined;
  /** An agent that works on a part of the task wants it. */
  readonly taskCallId?: string | undefined;
}
