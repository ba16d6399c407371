/** What clients are told of where a call stands. `waiting_approval`: undecided. `ready`: run it. `answered`: a result is stored, or none will come. */
export const CALL_STATES = ['waiting_approval', 'ready', 'answered'] as const;
export type CallState = (typeof CALL_STATES)[number];

/**
 * What the store tells apart beside these. `refused`: decided so that nothing runs; clients see `answered`. Of a call that is over only its
 * state and its assignments are kept: `closed`, `synthetic` (no executor said how it ended, and one still may), `foreign` (only the
 * journal of a client knows it).
 */
export const STORED_CALL_STATES = [...CALL_STATES, 'refused', 'closed', 'synthetic', 'foreign'] as const;
export type StoredCallState = (typeof STORED_CALL_STATES)[number];

/** What an executor says of a call before its result; it only grows. */
export const CALL_EVIDENCE = ['received', 'started'] as const;
export type CallEvidence = (typeof CALL_EVIDENCE)[number];

/** `safe`: running it twice does no harm. */
export type Idempotency = 'safe' | 'unsafe';

/** How a question ended. */
export const APPROVAL_OUTCOMES = ['approved', 'edited', 'rejected', 'expired', 'cancelled'] as const;
export type ApprovalOutcome = (typeof APPROVAL_OUTCOMES)[number];

/** Whether a call runs after its question ended so. */
export const letsRun = (outcome: ApprovalOutcome): boolean => outcome === 'approved' || outcome === 'edited';

/** A decision as it is stored with its call. */
export interface DecisionRecord {
  readonly outcome: ApprovalOutcome;
  /** Arguments to run, if edited: JSON text. */
  readonly args?: string;
  readonly argsSha256: string;
  readonly feedback?: string;
  /** A subject, `executor` or `policy`. */
  readonly by: string;
  readonly atMs: number;
  /** A rule is made of it: other calls that wait may be covered by it. */
  readonly remembered?: true;
}

/** What never changes of a call: written once, by whoever opens it, so that nobody has to read it out of the frame. */
export interface CallHead {
  readonly callId: string;
  readonly toolName: string;
  readonly idempotency: Idempotency;
  /** Time for the execution, in milliseconds. */
  readonly deadlineMs: number;
}

interface CallFacts extends CallHead {
  /** The `tool_call` frame as first sent, without `seq`. */
  readonly frame: string;
  /** The number of that frame in the log; it keeps it when it is sent again. */
  readonly seq: number;
  /** Digest of the arguments to run now. */
  readonly argsSha256: string;
  /** The assignment. */
  readonly fence: number;
  /** When the question expires; 0: never. */
  readonly expiresAtMs: number;
  /** The last `approval_updated` frame, without `seq`, or ''. */
  readonly preview: string;
  readonly progress: CallEvidence | '';
  /** When `started` was acknowledged; 0 before. */
  readonly startedAtMs: number;
  /** To whom the call was written: `client_id`, or `seed:<connection>`; '' if to nobody yet. */
  readonly givenTo: string;
  /** The agent of the turn: its limits hold for edited arguments, too. */
  readonly agent: string;
}

/** A call that is open, or answered and not yet consumed. */
export type CallRecord = CallFacts &
  (
    | { readonly state: 'waiting_approval'; readonly decision?: undefined; readonly result?: undefined }
    | { readonly state: 'ready'; readonly decision?: DecisionRecord; readonly result?: undefined }
    /** `result`: the `tool_result` frame; absent where a decision left nothing to run. */
    | { readonly state: 'answered'; readonly decision?: DecisionRecord; readonly result?: string }
  );

/** A call as it is opened. */
export interface NewCall extends CallHead {
  readonly state: 'waiting_approval' | 'ready';
  readonly frame: string;
  readonly argsSha256: string;
  readonly fence: number;
  readonly expiresAtMs: number;
  /** Whose it is from the beginning: nobody else may be given it. */
  readonly givenTo?: string;
  readonly agent?: string;
  /** What it acts on, for the audit trail. */
  readonly target?: string;
}

/** What the worker that advances a session does to a call. */
export type CallChange =
  | { readonly kind: 'open'; readonly call: NewCall }
  /** The question is put, again or for the first time (`APPROVAL_MISMATCH`), as `frame` says: decision and preview are forgotten. */
  | {
      readonly kind: 'ask_again';
      readonly callId: string;
      readonly frame: string;
      readonly argsSha256: string;
      /** Its number: 2, where the call was asked about once. */
      readonly question: number;
      readonly expiresAtMs: number;
    }
  /** A rule that a human made since settles the question: it runs as it is. */
  | { readonly kind: 'approve'; readonly callId: string; readonly decision: DecisionRecord }
  /** Given to another executor: fence + 1, evidence forgotten. */
  | { readonly kind: 'reassign'; readonly callId: string; readonly fence: number }
  /** Its result is in the history or stands for it in the worker's state. `synthetic`: no executor said so. */
  | { readonly kind: 'close'; readonly callId: string; readonly synthetic: boolean };
