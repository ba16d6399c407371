import type { CallChange, CallEvidence, CallRecord, DecisionRecord, Envelope, WhenBusy } from '@codelab/protocol';
import type { AuditRow } from './audit-log.js';
import type { StoredPrompt } from './model-queue.js';
import type { InboxEntry, LoggedFrame, SessionMeta, SessionSignal } from './session-records.js';
import type { SessionRef, Sid } from './session-ref.js';
import type { Position } from './session-stream.js';

/**
 * What a client says of itself when it joins; all of it optional, because a seed client says nothing. Who only creates a session, and will
 * not execute, has a `clientId` and no `tools`. A seed client executes until somebody declares tools, unless calls were given to it.
 */
export interface Joining {
  /** `client_id` of `hello`; absent for a seed client. */
  readonly clientId?: string;
  /** JSON text of `hello.tools`, if it names any: the client can execute. A seed client always can. */
  readonly tools?: string;
  /** The executor that this client follows, because it is gone: nothing comes of it where it is not the executor any more, or may still run something. */
  readonly succeeds?: string;
  readonly protocolVersion: string;
  readonly workspace?: string;
  readonly capabilities?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly mode?: string;
  readonly vocabulary?: string;
  /** JSON text of the `resume.calls` that the server should compare. */
  readonly journal?: string;
  /** The last frame that the client has. One that the log of its epoch lacks, not far from its end, was lost by the store: the session begins a new epoch. */
  readonly seen?: SeenFrame;
}

/** A place in a log, and what is there as far as a client knows: texts by the names that they have in the head of a frame. */
export interface SeenFrame extends Position {
  readonly frame?: Readonly<Partial<Record<'type' | 'call_id' | 'turn_id' | 'status' | 'outcome', string>>>;
}

/**
 * Answer of `deliverMessage`. A repeat of a `messageId` gets the answer of the first, whatever the session does now. `INVALID_FIELD`: it is
 * no repeat, because the content is another one.
 */
export type Delivered =
  | {
      readonly kind: 'accepted';
      readonly messageId: string;
      readonly turnId: string;
      readonly state: 'started' | 'queued' | 'steered';
      readonly position?: number;
    }
  | { readonly kind: 'refused'; readonly code: 'BUSY' | 'QUEUE_FULL' | 'OVERLOADED' | 'SESSION_NOT_FOUND' | 'INVALID_FIELD' };

/** Answer of `beginServerCall`. */
export type Begun = 'begun' | 'begun_before' | 'refused';

/** Answer of `settleCall`. `INVALID_FIELD`: the call has no assignment of this number. */
export type Settled =
  | { readonly kind: 'settled'; readonly outcome: 'accepted' | 'duplicate' | 'stale' }
  | { readonly kind: 'refused'; readonly code: 'UNKNOWN_CALL' | 'FORBIDDEN' | 'OVERLOADED' | 'INVALID_FIELD' };

/** Answer of `decideCall`: the `approval_resolved` frame as it stands in the log. */
export type Decided =
  | { readonly kind: 'decided'; readonly frame: LoggedFrame }
  | { readonly kind: 'refused'; readonly code: 'UNKNOWN_CALL' | 'ALREADY_RESOLVED' | 'EXPIRED' | 'DIGEST_MISMATCH' | 'OVERLOADED' };

/** Answer of `requestCancel`. `cancelled`: the logged `turn_ended` follows within a second. */
export type CancelRequested =
  | { readonly kind: 'cancelling'; readonly turnId: string }
  | { readonly kind: 'refused'; readonly code: 'UNKNOWN_TURN' | 'OVERLOADED' };

/** Answer of `removeQueued`: the `queue_updated` frame as it stands in the log. */
export type Removed =
  | { readonly kind: 'removed'; readonly frame: LoggedFrame }
  | { readonly kind: 'refused'; readonly code: 'UNKNOWN_MESSAGE' | 'ALREADY_RESOLVED' };

/** A replay after a position, or the news that there is none. */
export type Replay =
  | { readonly kind: 'frames'; readonly epoch: string; readonly seq: number; readonly frames: readonly LoggedFrame[] }
  /** Another epoch, a position ahead of the log, or frames that were trimmed: take a snapshot. */
  | { readonly kind: 'gone'; readonly epoch: string; readonly seq: number };

/** One consistent reading of a session, for a snapshot. */
export interface SessionReading {
  readonly meta: SessionMeta;
  readonly calls: readonly CallRecord[];
  /** The last items, oldest first, and the index of the first of them. */
  readonly history: readonly string[];
  readonly historyFrom: number;
  readonly queue: readonly QueuedMessage[];
  /** Messages that wait for the next model request of the turn that runs. */
  readonly steering: readonly QueuedMessage[];
  readonly todos: string;
}

/** A message that waits. */
export interface QueuedMessage {
  readonly messageId: string;
  readonly turnId: string;
  /** The `user_message` frame. */
  readonly frame: string;
}

/** Numbers each lease of a session; grows. A write with an old one is refused (R1). */
export type LeaseFence = number & { readonly brand: 'LeaseFence' };

/** One step of a turn: everything that it changes, and nothing else does. */
export interface StepEffects {
  /** The last inbox entry whose consequence is in this commit. */
  readonly inboxUpTo: number;
  /** The runtime's own state of the turn, JSON text. */
  readonly state: string;
  /** Frames for the log, in order, without `seq`. */
  readonly frames: readonly Envelope[];
  /** Items for the history, JSON text. */
  readonly history: readonly string[];
  /** How many of them are messages of the user; absent for none. */
  readonly userMessages?: number;
  readonly calls: readonly CallChange[];
  /** A model request: its record is stored, and put to the queue after the commit. */
  readonly modelRequest?: {
    readonly stepId: string;
    /** A `StoredRequest`, as JSON text. */
    readonly request: string;
    /** What the request names by its hash: stored once. */
    readonly prompt?: StoredPrompt;
  };
  /** Ids of steered messages that went into the turn: they wait no longer. One that was removed meanwhile: `cancelled`. */
  readonly taken?: readonly string[];
  /**
   * The turn ends: the head of the queue, if any, starts as the next one in the same commit. Steered messages that found no model request
   * head the queue.
   */
  readonly endTurn?: {
    readonly turnId: string;
    /**
     * Those of them that the turn was told of, each with the turn that it is to begin. The store knows them by itself, except for what a gateway
     * of a release before 2026-11-23 was given: without this it would be lost.
     */
    readonly leftOver?: readonly QueuedMessage[];
  };
  readonly meta?: { readonly model?: string; readonly agent?: string; readonly mode?: string; readonly title?: string };
  /** The task list, where it has changed: JSON text of the whole. */
  readonly todos?: string;
  /** Decisions of this step, for the audit trail. */
  readonly audit?: readonly AuditRow[];
}

/** What a commit did. */
export interface Committed {
  /** The last frame of the log. */
  readonly seq: number;
  /** Set when the commit ended a turn: the turn that runs now, '' for none. Its message is the next inbox entry. */
  readonly turnId?: string;
}

/** A session as its lease holder sees it when it begins. */
export interface LeasedSession {
  readonly leaseFence: LeaseFence;
  readonly meta: SessionMeta;
  readonly calls: readonly CallRecord[];
  readonly inbox: readonly InboxEntry[];
}

/** Who takes part in a session, and what it is set to. */
export interface SessionMembership {
  /** Creates the session if `create` and it is not there; joins it. `undefined`: no such session. */
  join(ref: SessionRef, joining: Joining, options: { readonly create: boolean }): Promise<SessionMeta | undefined>;
  patch(
    ref: SessionRef,
    changes: {
      readonly title?: string;
      readonly model?: string;
      readonly agent?: string;
      readonly mode?: string;
      readonly vocabulary?: string;
      /** Milliseconds after which an absent client fails its calls; 0: never. */
      readonly clientGraceMs?: number;
      /** Approvals are decided by `hitl_decision` only, also for seed clients. */
      readonly serverSideDecisions?: boolean;
    },
  ): Promise<SessionMeta | undefined>;
  /** Removes everything of the session. */
  remove(ref: SessionRef): Promise<boolean>;
  /** Keeps which tools the executor has now. `forbidden`: it is not the executor, or the session is a child. */
  changeTools(
    ref: SessionRef,
    change: { readonly clientId: string; /** JSON text, as of `hello.tools`. */ readonly tools: string },
  ): Promise<'kept' | 'forbidden' | 'gone'>;
  /** A human gives the session another executor (`''`: the next that declares tools). Open calls that began stay with the old one. */
  moveExecutor(ref: SessionRef, clientId: string): Promise<SessionMeta | undefined>;
}

/** What the model is told of a workspace: facts as an executor sent them, JSON text. Nothing is decided by it. */
export interface SessionWorkspace {
  /** Keeps them in the place of those before. `forbidden`: somebody else executes. */
  keepFacts(ref: SessionRef, facts: { readonly clientId: string; readonly text: string }): Promise<'kept' | 'forbidden' | 'gone'>;
  /** Those that the session began with, and the latest; '' for none. */
  readFacts(ref: SessionRef): Promise<{ readonly first: string; readonly latest: string }>;
  /** What the last request to a model had in common with the others: a `StepPrompt` as JSON text, '' before the first. */
  readPrompt(ref: SessionRef): Promise<string>;
}

/** What only reads. */
export interface SessionReads {
  readMeta(ref: SessionRef): Promise<SessionMeta | undefined>;
  /** Frames after `seq` of `epoch`, all of them or `gone`, never a part (G3). */
  replay(ref: SessionRef, position: { readonly epoch: string; readonly seq: number }): Promise<Replay>;
  read(ref: SessionRef, options: { readonly historyItems: number }): Promise<SessionReading | undefined>;
  readHistory(
    ref: SessionRef,
    range: { readonly from: number; readonly limit: number },
  ): Promise<{ readonly items: readonly string[]; readonly total: number }>;
  list(owner: SessionRef['owner'], page: { readonly offset: number; readonly limit: number }): Promise<readonly SessionMeta[]>;
  /** The `limit` sessions that were used last, by name alone: some may be gone. */
  listRefs(owner: SessionRef['owner'], options: { readonly limit: number }): Promise<readonly SessionRef[]>;
  /** The inbox after `id`. */
  readInbox(sid: Sid, after: number): Promise<readonly InboxEntry[]>;
}

/** What people say to a session, and what is passed on to those who follow it. */
export interface SessionDeliveries {
  /** Stores a message by its strategy, and remembers the answer under its `messageId`. */
  deliverMessage(
    ref: SessionRef,
    message: {
      readonly messageId: string;
      readonly turnId: string;
      readonly frame: string;
      readonly summary: string;
      /** Of the content, without a space: tells a repeat of the `messageId` from another message. Without it nothing does. */
      readonly digest?: string;
      readonly whenBusy: WhenBusy;
      /** `seed:<connection>` of a client without identity: unsafe calls that another connection of it was given are abandoned. */
      readonly seed?: string;
    },
  ): Promise<Delivered>;
  /** Marks the turn as cancelled, logs `tool_cancel` for its open calls, tells runtime and proxy (L2). */
  requestCancel(ref: SessionRef, cancel: { readonly turnId?: string; readonly queue: boolean }): Promise<CancelRequested>;
  removeQueued(ref: SessionRef, messageId: string): Promise<Removed>;
  /** Appends `agent_switched` and tells the runtime. */
  switchAgent(ref: SessionRef, agent: string, frame: string): Promise<LoggedFrame>;
  /** Passes a frame on to whoever listens now, unlogged: `tool_output`, `agent_status`. */
  relay(ref: SessionRef, frame: Envelope): Promise<void>;
  /** Tells the servers that follow the session now. */
  signal(ref: SessionRef, signal: SessionSignal): Promise<void>;
}

/** What becomes of a call: `CALL_TRANSITIONS` of the protocol package. */
export interface SessionCalls {
  /** Stores the first result of a call (R2). `clientId` absent: a seed client. */
  settleCall(
    ref: SessionRef,
    result: {
      readonly callId: string;
      readonly fence?: number;
      readonly clientId?: string;
      readonly frame: string;
      readonly errorCode?: string;
      /** JSON text of an error: what would be shown of the call says already that it fails, so nobody needs to decide. Nothing was run. */
      readonly previewError?: string;
    },
  ): Promise<Settled>;
  /** Decides one call; appends its `approval_resolved` (`frame`, without `seq`) and its audit row in the same step (H1, H3). */
  decideCall(
    ref: SessionRef,
    decision: {
      readonly callId: string;
      /** Digest of the call decided on, if the decision names it. */ readonly decidedOn?: string;
      /** Number of the question decided on, if the decision names it. */ readonly question?: number;
      readonly record: DecisionRecord;
      readonly frame: string;
      /** What the edited call acts on, for the audit trail. */ readonly target?: string;
    },
  ): Promise<Decided>;
  /** Tells the runtime, where a call waits for a decision, that a rule was made which may settle it. */
  reviewQuestions(ref: SessionRef): Promise<void>;
  /** Evidence from the executor; `false`: the sender is not it, or the call is not open. */
  acknowledge(
    ref: SessionRef,
    ack: { readonly callId: string; readonly clientId?: string; readonly fence: number; readonly state: CallEvidence },
  ): Promise<boolean>;
  /**
   * Notes that the holder of a session's lease begins a call that the servers run. `begun_before`: somebody has begun it already, who holds the
   * lease no longer unless it is the asker itself. `refused`: the lease is another's, or the call is not open: nothing may be begun (R2).
   */
  beginServerCall(
    ref: SessionRef,
    call: { readonly callId: string; readonly fence: number; readonly leaseFence: LeaseFence },
  ): Promise<Begun>;
  /** Stores and logs a preview (`approval_updated`, without `seq`); `false` as above. */
  showPreview(ref: SessionRef, preview: { readonly callId: string; readonly clientId?: string; readonly frame: string }): Promise<boolean>;
  /** Notes, before a call is written to a socket, to whom. `false`: it was given to another or is answered; don't write it. */
  giveCall(ref: SessionRef, call: { readonly callId: string; readonly fence: number; readonly to: string }): Promise<boolean>;
  readCalls(sid: Sid): Promise<readonly CallRecord[]>;
  /** Of each session the calls that wait for a decision; nothing of any other call is read but its state. */
  readWaiting(sids: readonly Sid[]): Promise<readonly (readonly CallRecord[])[]>;
}

/** The last frame and the last entry of the inbox that the holder of a session knows to be stored. */
export interface HolderSeen {
  readonly seq: number;
  readonly inbox: number;
}

/** Who advances a session (R1). */
export interface SessionLeases {
  /** Takes the lease if nobody holds it, and reads what its holder needs. `undefined`: somebody holds it, or there is no session. */
  takeLease(sid: Sid, worker: string): Promise<LeasedSession | undefined>;
  /** Renews many in one round trip; answers those that were lost. */
  renewLeases(leases: readonly { readonly sid: Sid; readonly leaseFence: LeaseFence }[]): Promise<readonly Sid[]>;
  /**
   * Lets go of the lease, only if the inbox is empty: `busy` says there is work. `lost`: another took it, or the store doesn't have what its
   * holder has seen; when the session is due is then not the holder's word any more.
   * `wakeAtMs`: the next deadline of the parked session; without one it costs nothing until somebody writes to it.
   */
  releaseLease(
    sid: Sid,
    leaseFence: LeaseFence,
    park: { readonly wakeAtMs?: number | undefined; readonly seen?: HolderSeen },
  ): Promise<'released' | 'busy' | 'lost'>;
}

/** What the holder of a lease writes. */
export interface SessionCommits {
  /**
   * Writes one step of a turn, all of it or nothing: inbox consumed, calls, history, frames with their `seq`, announced (G3, R5).
   * `fenced`: another worker owns the session, so stop. `cancelled`: the turn was cancelled meanwhile and the effects don't know it
   * (`cancelSeen` is another turn), or a call that they close synthetically, ask again or reassign was answered or decided meanwhile, so
   * read the inbox and compute again. `outdated`: what its calls were judged by (`judgedBy`) is not what holds now, so read it and judge
   * again (H1).
   */
  commit(
    ref: SessionRef,
    lease: {
      readonly leaseFence: LeaseFence;
      readonly cancelSeen: string;
      /** The last frame and inbox entry that the holder knows to be stored. A store that doesn't know them was set back: `fenced`, and a new epoch begins. */
      readonly seen?: HolderSeen;
      /** For a step that judges calls. `facts`: `judgedFacts`; `rules`: the session that they were read for, and `RuleSnapshot.version`. */
      readonly judgedBy?: { readonly facts: string; readonly rules?: { readonly session: SessionRef; readonly version: string } };
    },
    step: StepEffects,
  ): Promise<Committed | 'fenced' | 'cancelled' | 'outdated'>;
}

/**
 * The sessions, durable and shared by every service. Each method that writes is one script: it happened, or nothing did, and its answer
 * is what a client is told (G2). Every writer announces what it stored; announcements are hints, the store is the truth.
 * Whoever uses it names the groups that it needs. Methods throw `BusError` when Redis is away; nothing was promised then.
 */
export interface SessionStore
  extends SessionMembership, SessionWorkspace, SessionReads, SessionDeliveries, SessionCalls, SessionLeases, SessionCommits {}
