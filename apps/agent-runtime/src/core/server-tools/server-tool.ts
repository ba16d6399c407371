import type { Owner, SessionRef } from '@codelab/bus';
import type { JsonText, ToolErrorCode } from '@codelab/protocol';
import type { JsonObject, PolicyRow, ToolDefinition } from '@codelab/tools';

/**
 * A tool that the runtime runs itself: it never needs the workspace. Its calls are ordinary ones, judged by the one policy, decided by humans at
 * the clients, and run by whoever holds the lease of their session.
 */
export interface ServerTool {
  readonly definition: ToolDefinition;
  /** How its calls are judged where no rule says otherwise. Without one a human is asked, as for every tool from outside. */
  readonly policy?: PolicyRow;
  /**
   * Runs one call. What may go wrong out there is an outcome; what it throws is told as `INTERNAL`. It never repeats a call that takes effect.
   * Whoever runs it stops listening when `run.signal` is aborted, and after the deadline of the definition.
   */
  run(args: JsonObject, run: ServerRun): Promise<ServerOutcome>;
}

/** One call of a tool, as the tool sees it. */
export interface ServerRun {
  readonly callId: string;
  /** The arguments as they were written, for who passes them on: a number may have more digits than JavaScript keeps. */
  readonly argumentsText: string;
  readonly owner: Owner;
  readonly sessionId: string;
  /** Aborted when the turn is cancelled, the deadline is over, or the runtime hands the session over. */
  readonly signal: AbortSignal;
  /** Tells clients that want it how the call goes on, as `tool_output`. What is too much is dropped. */
  readonly onOutput: (data: string) => void;
}

/** What came of a call. `message` is for the model and holds no secret and no address that is one. */
export type ServerOutcome =
  | { readonly ok: true; /** A text is one JSON object, and stays as it is. */ readonly result: JsonObject | JsonText }
  | { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/** Where tools of the runtime come from: its own, `codelab.tools.yaml`, those that people registered. */
export interface ServerToolSource {
  /**
   * The tools of a session now. Asked at the beginning of each turn and when something changed, never for a single call: cached, bounded, and
   * quick, for the session waits. The same list is the same array, so that what follows from it is worked out once. It never throws for what is
   * wrong with one of its tools: that one is left out.
   */
  list(session: SessionRef): Promise<readonly ServerTool[]>;
}
