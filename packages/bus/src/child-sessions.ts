import type { Owner, SessionRef } from './session-ref.js';
import type { SessionMeta } from './session-records.js';
import type { StepTool } from './model-queue.js';

/**
 * What a turn is that a program started through llm-proxy (`tool_execution: "auto"`). It runs in a child of an IDE's session: with the
 * conversation of the request, the executor of the parent, and no right to decide anything.
 */
export interface NewChild {
  /** The child's own name; minted, unique. */
  readonly sessionId: string;
  readonly turnId: string;
  readonly model: string;
  /**
   * JSON text of what every model request of the turn begins with: opaque here and in the runtime, read by llm-proxy (`ClaimedStep.readBase`).
   */
  readonly base: string;
  /** Tools that only the caller can run: a call of one ends the turn and is handed over. Model-facing definitions. */
  readonly callerTools: readonly StepTool[];
  /** Tools that llm-proxy itself runs, by URL. Judged like a client's own tools. */
  readonly serverTools: readonly StepTool[];
  /** Canonical names of the executor's tools that the request may use. */
  readonly executorTools: readonly string[];
  /** Rounds of tools; 0: as many as it takes. */
  readonly maxToolRounds: number;
}

/** Sessions whose executor is connected now, and the children that programs run in them. */
export interface ChildSessions {
  /** Says that the executor of a session is connected to this process: for `PRESENCE_MS`, so it is repeated. */
  announce(ref: SessionRef): Promise<void>;
  /** The last connection of the executor is gone. */
  leave(ref: SessionRef): Promise<void>;
  /** The sessions of a person whose executor is connected, children not among them, in a stable order. */
  connected(owner: Owner): Promise<readonly SessionMeta[]>;
  /** Creates a child with the executor of its parent and starts its turn. `undefined`: there is no such parent, or nobody executes for it. */
  open(parent: SessionRef, child: NewChild): Promise<SessionRef | undefined>;
  /** The open children of a session. */
  of(parent: SessionRef): Promise<readonly SessionRef[]>;
  /** The turn of the child is over and its answer was taken: its calls are nobody's any more. It expires by itself, too. */
  close(parent: SessionRef, child: SessionRef): Promise<void>;
}
