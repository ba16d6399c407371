import type { Approval, CallState, Operand, Preview, TurnError, TurnUsage } from '@codelab/protocol';

/** One entry of the conversation, as far as frames and snapshots tell it. */
export type ViewEntry =
  | { readonly kind: 'user'; readonly messageId: string; readonly content: string }
  /** Text of the model. It may still grow unless `isFinal`, which only the last text of a completed turn is. */
  | { readonly kind: 'assistant'; readonly messageId: string; readonly text: string; readonly isFinal: boolean }
  | ViewToolEntry
  | { readonly kind: 'note'; readonly content: string };

/** A tool call in the conversation. */
export interface ViewToolEntry {
  readonly kind: 'tool';
  readonly callId: string;
  readonly toolName: string;
  /** JSON text of the arguments; absent for the result of a call whose beginning is older than the snapshot. */
  readonly args?: string;
  /** `open` until its result is known. */
  readonly status: 'open' | 'done' | 'errored' | 'canceled';
  /** What the model read, cut where it was long; only a snapshot tells it. */
  readonly content?: string;
}

/** A call that is open. */
export interface ViewCall {
  readonly callId: string;
  readonly toolName: string;
  /** JSON text of the arguments to run now. */
  readonly args: string;
  readonly argsSha256: string;
  readonly requiresApproval: boolean;
  readonly idempotency: 'safe' | 'unsafe';
  readonly state: CallState;
  readonly approval?: Approval;
  readonly preview?: Preview;
  readonly operands?: readonly Operand[];
  /** A program wants it, through llm-proxy: it is no part of the conversation, and here only while it waits for a decision. */
  readonly program?: true;
}

/** A turn, running or the last one that ended. */
export interface ViewTurn {
  readonly turnId: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly messageIds: readonly string[];
  readonly model: string;
  readonly usage?: TurnUsage;
  readonly error?: TurnError;
}

/** A message that waits for its turn. */
export interface ViewQueued {
  readonly messageId: string;
  readonly content: string;
}

/** A session as a client sees it. */
export interface SessionView {
  readonly sessionId: string;
  readonly epoch: string;
  /** The last frame of the log that is in the view. */
  readonly seq: number;
  readonly executor: 'you' | 'other' | 'none';
  readonly agent?: string;
  /** What the agent does right now: `agent_status`. */
  readonly agentStatus?: string;
  readonly turn?: ViewTurn;
  /** The text that is being written. */
  readonly partial?: { readonly messageId: string; readonly text: string };
  /** The last entries, oldest first, at most 1,000. */
  readonly entries: readonly ViewEntry[];
  /** Older entries than the snapshot's first: where REST goes on. */
  readonly historyCursor?: string;
  /** The open calls, in the order in which they came. */
  readonly calls: readonly ViewCall[];
  readonly queue: readonly ViewQueued[];
  readonly todos: readonly object[];
  /** Of all turns that this view saw end. */
  readonly usage: TurnUsage;
}

/** The view before any frame. */
export const EMPTY_VIEW: SessionView = {
  sessionId: '',
  epoch: '',
  seq: 0,
  executor: 'none',
  entries: [],
  calls: [],
  queue: [],
  todos: [],
  usage: { input_tokens: 0, output_tokens: 0 },
};
