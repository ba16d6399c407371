import type { ForeignTool, Operand, Preview, ToolErrorCode, WorkspaceFacts } from '@codelab/protocol';
import type { JsonObject } from '@codelab/tools';
import type { Workspace } from '@codelab/workspace';

/** The arguments of a call, as a value. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What a tool made of a call. `result` is a JSON value in the shape of the tool: an object for each canonical one. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/** A canonical name, or the definition of a tool that only this executor has. */
export type DeclaredTool = string | ForeignTool;

/** The name of a declared tool. */
export const nameOfTool = (tool: DeclaredTool): string => (typeof tool === 'string' ? tool : tool.name);

/** What surrounds one run of a tool. */
export interface RunContext {
  readonly callId: string;
  /** The turn that runs, where it is known: what one turn changed can be undone together. */
  readonly turnId?: string;
  /** The session that the call is of. */
  readonly sessionId?: string;
  /** The servers speak version 2.1: results have what it adds. */
  readonly additions?: boolean;
  /** A human, or a rule of one, decided on this very call. Without it only what is harmless may run (H1). */
  readonly approved?: boolean;
  /** Aborted by `tool_cancel`, by the deadline and by closing; `reason` says which: see {@link StopReason}. */
  readonly signal: AbortSignal;
  /** The files as they were when the call was decided, by a human or by a rule. Changed since: `APPROVAL_MISMATCH`, and nothing is done (H2). */
  readonly operands?: readonly Operand[];
  /** Progress of a long tool. */
  readonly onOutput: (stream: 'stdout' | 'stderr', data: string) => void;
}

/** The `reason` of an aborted {@link RunContext.signal}. */
export type StopReason = 'cancelled' | 'timeout' | 'superseded' | 'closing';

/** What an approver is shown of a call, and the files that it depends on. */
export interface CallPreview {
  readonly preview: Preview;
  readonly operands?: readonly Operand[];
  /** Why the call can't be done, as `run` would answer now. Nobody is asked about a call that its model has to mend first. */
  readonly fault?: { readonly code: ToolErrorCode; readonly message: string };
}

/**
 * Whoever runs tools on the user's machine: a workspace, an editor. It knows nothing of frames, sessions or approvals. The client calls
 * it at most once for an `unsafe` call (R2), and only after whoever must decide has decided (H1).
 */
export interface ToolExecutor {
  /** What goes into `hello.tools`: canonical names, or definitions of tools that only this executor has. Asked each time that it matters. */
  readonly tools: readonly DeclaredTool[];
  /** Calls `listener` whenever `tools` has become another list; returns what ends that. Without it the list never changes. */
  readonly onToolsChanged?: (listener: () => void) => () => void;
  /** Runs a tool to its end. What is expected is an outcome; what is thrown counts as a fault of the executor. */
  run(toolName: string, args: ToolArguments, context: RunContext): Promise<ToolOutcome>;
  /** What the call would do; `undefined` where there is nothing to show. Changes nothing. */
  preview(toolName: string, args: ToolArguments, signal: AbortSignal, sessionId?: string): Promise<CallPreview | undefined>;
  /**
   * Why a call that nobody decided on, and that is harmless by its arguments or allowed by a rule (`byRule`), should be asked about after all:
   * what only this machine knows, such as a setting of the repository that makes git run a program, or a link that leads out of the workspace.
   * A clause for people; `undefined` where there is nothing.
   */
  findDoubt?(toolName: string, args: ToolArguments, signal: AbortSignal, byRule?: boolean): Promise<string | undefined>;
  /** Resolves when nothing is left to do of calls that are over: a client that closes waits for a moment. */
  readonly idle?: () => Promise<void>;
  /** What a model should know before it looks: the environment, and the instructions of the project. Asked at the beginning, and before each message. */
  readonly readFacts?: () => Promise<WorkspaceFacts>;
}

/** Where a workspace has more to tell from. */
export interface WorkspaceExecutorOptions {
  /** The person's own configuration directory: instructions, rules and agents for all of their workspaces. */
  readonly configDir?: string;
}

/** A workspace as the executor of a client. */
export function workspaceExecutor(
  workspace: Pick<Workspace, 'tools' | 'run' | 'preview' | 'findDoubt'> & Partial<Pick<Workspace, 'facts' | 'idle'>>,
  { configDir }: WorkspaceExecutorOptions = {},
): ToolExecutor {
  const { facts } = workspace;
  return {
    tools: workspace.tools,
    run: (toolName, args, context) => workspace.run(toolName, args as JsonObject, context), // arguments come out of JSON
    preview: (toolName, args, _signal, sessionId) => workspace.preview(toolName, args as JsonObject, sessionId), // as above
    findDoubt: (toolName, args, signal, byRule) => workspace.findDoubt(toolName, args as JsonObject, signal, byRule), // as above
    idle: async () => workspace.idle?.(),
    readFacts: facts && (() => facts.read(configDir)),
  };
}
