import type { DecisionRecord, Envelope } from '@codelab/protocol';
import type { ChildRecord } from './child-record.js';
import type { SessionRef } from './session-ref.js';

/** What is stored of a session beside its streams: `cl:{sid}:meta`. Empty text: none. */
export interface SessionMeta {
  readonly ref: SessionRef;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The life of the log. */
  readonly epoch: string;
  /** The last frame of the log. */
  readonly seq: number;
  readonly model: string;
  readonly agent: string;
  readonly mode: string;
  readonly vocabulary: string;
  readonly title: string;
  /** `client_id` of the executor, `seed` for a client without identity, '' for none. */
  readonly executor: string;
  /** JSON text of the executor's `hello.tools`; '' for a seed client: the six of version 1.0. */
  readonly executorTools: string;
  /** What is stored in their place where they are kept by their digest. */
  readonly storedTools?: string;
  readonly protocolVersion: string;
  /** JSON text of the executor's `hello.workspace`, or ''. */
  readonly workspace: string;
  /** Digest of what the executor says of the workspace (`SessionWorkspace.readFacts`), or ''. */
  readonly facts: string;
  /** Opt-in frames that some client of the session named, space-separated. */
  readonly capabilities: string;
  /** The turn that runs, or ''. Set by `deliver-message` and by a commit that starts the next one. */
  readonly turnId: string;
  /** The turn whose cancellation was requested, or ''. */
  readonly cancelTurnId: string;
  /** The runtime's own state of the turn, JSON text; opaque here. '' before the first commit. */
  readonly state: string;
  /** Items in the history. */
  readonly historyVersion: number;
  /** Messages of the user among them; absent where a release began the session that didn't count. */
  readonly userMessages?: number;
  /** The last inbox entry that a commit consumed. */
  readonly inboxDone: number;
  /** Milliseconds after which an absent client fails its calls; 0: never. */
  readonly clientGraceMs: number;
  /** Approvals are decided by `hitl_decision` only, also for seed clients. */
  readonly serverSideDecisions: boolean;
  /** What makes it the child of another session; absent for any other. */
  readonly child?: ChildRecord;
}

/** What calls are judged by and may change while a turn runs, as a text that a commit compares with what is stored then. */
export const judgedFacts = (meta: SessionMeta): string => {
  const {
    clientGraceMs,
    model,
    agent,
    mode,
    executor,
    executorTools,
    storedTools = executorTools,
    protocolVersion,
    workspace,
    capabilities,
  } = meta;
  return [clientGraceMs, model, agent, mode, executor, storedTools, protocolVersion, workspace, capabilities].join('\x1e');
};

/** Something that happened to a session and that the runtime has not consumed yet, in the order in which it happened. */
export type InboxEntry = { readonly id: number } & (
  | { readonly kind: 'message'; readonly messageId: string; readonly turnId: string; readonly steered: boolean; readonly frame: string }
  /** A steered message was taken out before it went into the turn. */
  | { readonly kind: 'removed'; readonly messageId: string }
  /** The first `tool_result` of a call. `local`: a seed client decided a question by answering it. `unasked`: its preview failed, so the question was taken back. */
  | { readonly kind: 'result'; readonly callId: string; readonly frame: string; readonly local: boolean; readonly unasked?: true }
  /** A true result after a synthetic one. `replaces`: no model has seen the synthetic one; otherwise it becomes a note. */
  | { readonly kind: 'late_result'; readonly callId: string; readonly frame: string; readonly replaces: boolean }
  /** An unsafe call was written to a connection of a seed client that talks on another one now: nobody will answer it. */
  | { readonly kind: 'abandoned'; readonly callId: string }
  | { readonly kind: 'decision'; readonly callId: string; readonly decision: DecisionRecord }
  /** A rule was made: calls that wait may be settled by it. */
  | { readonly kind: 'rules' }
  | { readonly kind: 'cancel'; readonly turnId: string }
  /** A result of the turn has no room: the turn can't go on. `message` is for the human. */
  | { readonly kind: 'quota'; readonly turnId: string; readonly message: string }
  /** A model request has its answer; the record is in the step. */
  | { readonly kind: 'answer'; readonly stepId: string; readonly attempt: number; readonly answer: string }
  | { readonly kind: 'failure'; readonly stepId: string; readonly attempt: number; readonly failure: string }
  | { readonly kind: 'agent'; readonly agent: string }
  /** The journal of a client knows calls that this session doesn't, or says `unknown` of one: put before the model and the human. */
  | { readonly kind: 'journal'; readonly calls: string }
  /** The executor is another one now: open calls that were never begun go to it. */
  | { readonly kind: 'executor'; readonly executor: string }
);

/** A frame of the log; its text has `seq` in it. */
export interface LoggedFrame extends Envelope {
  readonly seq: number;
}

/** What servers tell each other about a session, and no client is sent. Signals are hints: whoever misses one finds out later. */
export type SessionSignal =
  /** The session has another executor: a `client_id`, `seed`, or '' for none. */
  | { readonly type: 'executor_changed'; readonly executor: string }
  /** A program began a child of this session. */
  | { readonly type: 'child_opened'; readonly session_id: string }
  /** A connection that executes tools joined, and gets the calls of its client from now on; or it is gone. */
  | { readonly type: 'connection_joined' | 'connection_left' | 'connection_asked'; readonly client: string; readonly connection: string };
