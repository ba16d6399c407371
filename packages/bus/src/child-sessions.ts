import type { NewChild, NewTask } from './child-record.js';
import type { SessionMeta } from './session-records.js';
import { sessionRef, type Owner, type SessionRef } from './session-ref.js';

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
  | { readonly kind: 'opened'; readonly child: SessionMeta }
  | { readonly kind: 'refused'; readonly code: 'NO_EXECUTOR' | 'FULL' };

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
  /** Whether the executor of each of these sessions is connected somewhere. */
  present(refs: readonly SessionRef[]): Promise<readonly boolean[]>;
  /** The sessions of a person whose executor is connected somewhere, children not among them, the oldest first. */
  connected(owner: Owner): Promise<readonly SessionMeta[]>;
  /**
   * Creates a child with the executor of its parent and starts its turn. From then until `close` this process is the one that waits for it:
   * where it dies, the runtimes cancel the turn after `CHILD_HOLD_MS`, because nobody takes its answer any more.
   */
  open(parent: SessionRef, child: NewChild): Promise<ChildOpened>;
  /**
   * The same for a part of the session's own task. There is one child for a call, whoever opens it, and it outlives its opener: its result is
   * taken by whoever holds the parent. `model` '' is the parent's.
   */
  openTask(parent: SessionRef, task: NewTask): Promise<ChildOpened>;
  /** The children of each of these sessions whose turn still runs, the oldest first. */
  of(parents: readonly SessionRef[]): Promise<readonly (readonly SessionRef[])[]>;
  /** The children that work on parts of a session's task, or did within the last hour, the oldest first. */
  tasksOf(parent: SessionRef): Promise<readonly SessionMeta[]>;
  /** Those of the calls that children of a session have, or had in turns that ended within the last hour. */
  findCalls(parent: SessionRef, callIds: readonly string[]): Promise<ReadonlyMap<string, ChildCall>>;
  /** The answer of the child was taken, or nobody wants it: a turn that still runs is cancelled. The child is kept for an hour, its base is not. */
  close(parent: SessionRef, child: SessionRef): Promise<void>;
  /** Cancels the turns whose opener is gone. Every runtime asks for it each second; done twice it does no harm. */
  cancelAbandoned(): Promise<number>;
}

const TASK = 'task_';

/** The child that works on the task of this call. */
export const taskRef = ({ owner }: SessionRef, callId: string): SessionRef => sessionRef(owner, TASK + callId.replace(/^call_/, ''));

/** Whether a child of this name works on a task of its parent. */
export const isTaskName = (sessionId: string): boolean => sessionId.startsWith(TASK);

/** Under this `client_id` llm-proxy acknowledges and settles the calls that it runs itself. No client may have it. */
export const SERVER_EXECUTOR = 'server';

/** How long an executor counts as connected after the last word of its gateway. */
export const PRESENCE_MS = 15_000;

/** How long a child is waited for after the last word of the process that opened it. */
export const CHILD_HOLD_MS = 30_000;

/** Children that run in one session at the same time. */
export const MAX_OPEN_CHILDREN = 64;
