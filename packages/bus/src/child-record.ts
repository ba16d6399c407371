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
   * Tools that the servers run, as the model is to see them; one with a canonical name is left out. Judged like a client's own tools, logged as
   * `tool_call` with `runs_at: 'server'`, given to `SERVER_EXECUTOR`, and run by the runtime that holds the child's lease.
   */
  readonly serverTools: readonly StepTool[];
  /** Names of the executor's tools, canonical or its own, that the request may use. */
  readonly executorTools: readonly string[];
  /**
   * Rounds of tools that are run; 0: no count, not that of the runtime either; its limits of time hold. After the last one the model is asked
   * once more; if it wants tools again, none of them runs, and the turn ends `completed` with `stop: 'max_tool_rounds'`, or
   * `runtime_max_rounds` where the runtime's own number is lower.
   */
  readonly maxToolRounds: number;
  /** W3C trace context of the request. */
  readonly traceparent?: string;
}

/** Another agent works on a part of a session's task, in a child of it. */
export interface NewTask {
  /** The call of the parent that waits for it, by which it is known. */
  readonly callId: string;
  readonly turnId: string;
  readonly model: string;
  readonly agent: string;
  /** Agents for whom it works: it may do nothing that one of them may not. */
  readonly within: readonly string[];
  /** All that it is told. */
  readonly prompt: string;
  /** W3C trace context of the call. */
  readonly traceparent?: string;
  /** How far it may go. */
  readonly budget?: TaskBudget;
}

/** How far work on a part of a task may go, before its agent is asked for its last words. What is absent has no bound of its own. */
export interface TaskBudget {
  /** Model requests. */
  readonly steps?: number;
  /** Tokens that its models read and write. */
  readonly tokens?: number;
  /** US dollars, where the price is known. */
  readonly costUsd?: number;
}

/** What is stored of a child beside what every session has. */
export type ChildRecord = ProgramRecord | TaskRecord;

/** Of one that works on a part of its parent's task. */
export interface TaskRecord extends Pick<NewTask, 'callId' | 'within' | 'budget'> {
  readonly parent: string;
  readonly origin: 'task';
}

/** Of one that a program began. */
export interface ProgramRecord extends Pick<NewChild, 'callerTools' | 'serverTools' | 'executorTools' | 'maxToolRounds' | 'traceparent'> {
  /** `session_id` of the session that it runs in, of the same owner. */
  readonly parent: string;
  /** Who began it; it decides nothing. */
  readonly origin: 'proxy';
}
