import type { SessionMeta } from './session-records.js';
import type { Owner, SessionRef } from './session-ref.js';
import type { StepTool } from './model-queue.js';

/**
 * What a turn is that a program started through llm-proxy (`tool_execution: "auto"`). It runs in a child of an IDE's session: with the
 * conversation of the request, the executor of the parent, and no right to decide anything.
 */
export interface NewChild {
  /** The child's own name; minted (`newId('ses')`), never used before. */
  readonly sessionId: string;
  readonly turnId: string;
  readonly model: string;
  /**
   * JSON text of what every model request of the turn begins with, at most 32 MB: opaque here and in the runtime, read by llm-proxy
   * (`ClaimedStep.readBase`).
   */
  readonly base: string;
  /**
   * Tools that only the caller can run, as the model is to see them. A call of one is not run: the other calls of the answer are, then the
   * turn ends `completed` with `stop: 'handed_over'`. In the history it stands in `tool_calls` of the last assistant item, its arguments
   * as the model wrote them, and has no tool item. No name may be that of another tool of the request.
   */
  readonly callerTools: readonly StepTool[];
  /**
   * Tools that llm-proxy itself runs, by URL, as the model is to see them; one with a canonical name is left out. Judged like a client's
   * own tools, logged as `tool_call` with `runs_at: 'server'`, and given to {@link SERVER_EXECUTOR}: who runs it acknowledges and settles
   * it in the store under that `clientId`, once its frame says `ready` or `approval_resolved` lets it run.
   */
  readonly serverTools: readonly StepTool[];
  /** Names of the executor's tools, canonical or its own, that the request may use. */
  readonly executorTools: readonly string[];
  /**
   * Rounds of tools that are run; 0: as many as the runtime's own limit allows. After the last one the model is asked once more; if it wants
   * tools again, none of them runs, and the turn ends `completed` with `stop: 'max_tool_rounds'`.
   */
  readonly maxToolRounds: number;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** What is stored of a child beside what every session has. */
export interface ChildRecord extends Pick<NewChild, 'callerTools' | 'serverTools' | 'executorTools' | 'maxToolRounds' | 'traceparent'> {
  /** `session_id` of the session that it runs in, of the same owner. */
  readonly parent: string;
  /** Who began it; it decides nothing. */
  readonly origin: 'proxy';
}

/** A call that is a child's. */
export interface ChildCall {
  readonly child: SessionRef;
  /** It waits for a decision or a result. */
  readonly isOpen: boolean;
}

/**
 * Answer of `open`. `NO_EXECUTOR`: there is no such session, it is a child itself, or nobody ever executed for it. `FULL`: as many children
 * run in it as may.
 */
export type ChildOpened =
  { readonly kind: 'opened'; readonly child: SessionMeta } | { readonly kind: 'refused'; readonly code: 'NO_EXECUTOR' | 'FULL' };

/**
 * Sessions whose executor is connected now, and the children that programs run in them. A child is a session of the same owner with its own
 * log, history, calls and lease, that no list of sessions names and no client can join; the gateways show its calls to the connections of
 * its parent. To follow one, subscribe to its frames from `{ epoch: child.epoch, seq: 0 }` until `turn_ended`; `store.requestCancel` ends it
 * early. Methods throw `BusError` when Redis is away.
 */
export interface ChildSessions {
  /** Says that the executors of these sessions are connected to this process: for `PRESENCE_MS`, so it is repeated. */
  announce(refs: readonly SessionRef[]): Promise<void>;
  /** The last connection of the executor to this process is gone. */
  leave(ref: SessionRef): Promise<void>;
  /** The sessions of a person whose executor is connected somewhere, children not among them, the oldest first. */
  connected(owner: Owner): Promise<readonly SessionMeta[]>;
  /**
   * Creates a child with the executor of its parent and starts its turn. From then until `close` this process is the one that waits for it:
   * where it dies, the runtimes cancel the turn after `CHILD_HOLD_MS`, because nobody takes its answer any more.
   */
  open(parent: SessionRef, child: NewChild): Promise<ChildOpened>;
  /** The children of each of these sessions whose turn still runs, the oldest first. */
  of(parents: readonly SessionRef[]): Promise<readonly (readonly SessionRef[])[]>;
  /** Those of the calls that children of a session have, or had in turns that ended within the last hour. */
  findCalls(parent: SessionRef, callIds: readonly string[]): Promise<ReadonlyMap<string, ChildCall>>;
  /** The answer of the child was taken, or nobody wants it: a turn that still runs is cancelled. The child is kept for an hour, its base is not. */
  close(parent: SessionRef, child: SessionRef): Promise<void>;
  /** Cancels the turns whose opener is gone. Every runtime asks for it each second; done twice it does no harm. */
  cancelAbandoned(): Promise<number>;
}

/** Under this `client_id` llm-proxy acknowledges and settles the calls that it runs itself. No client may have it. */
export const SERVER_EXECUTOR = 'server';

/** What a gateway hears, outside of the parent's log, when a child begins: `{"type":"child_opened","session_id":…}`. A hint; no client sees it. */
export const CHILD_OPENED = 'child_opened';

/** How long an executor counts as connected after the last word of its gateway. */
export const PRESENCE_MS = 15_000;

/** How long a child is waited for after the last word of the process that opened it. */
export const CHILD_HOLD_MS = 30_000;

/** Children that run in one session at the same time. */
export const MAX_OPEN_CHILDREN = 64;
