import type { Approval, ErrorCode, Operand, Preview } from '@codelab/protocol';

/** Arguments of a tool, as JSON knows them. */
type ToolArguments = Readonly<Record<string, unknown>>;

/** One call that waits for a human, or for a rule that a human made. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly args: ToolArguments;
  /** The arguments as they came, to show them without loss. */
  readonly argsText: string;
  /** The digest that the decision is bound to (H2). */
  readonly argsSha256: string;
  /** `server`: any client of the session may decide. `client`: its own local policy asks, and only this client can decide (H2). */
  readonly origin: 'server' | 'client';
  /** A program wants the call, through llm-proxy, and not the session's own agent: a human should know, and a rule for it says `proxy: true`. */
  readonly program?: true;
  /** Reason, risk, choices and the rules that would spare the question; as the servers see them, or as this client's local policy does. */
  readonly approval?: Approval;
  /** What the call would do; absent at a client that doesn't execute it, until `approval_updated` brings it into the view. */
  readonly preview?: Preview;
  readonly operands?: readonly Operand[];
  /** Hears of a preview that comes while the question is open. Returns a function that ends it. */
  readonly onPreview: (listener: (preview: Preview, operands: readonly Operand[]) => void) => () => void;
  /** Why the last answer to this request did not count: edited arguments that do not fit, for example. Ask again, and say so. */
  readonly refusal?: { readonly code: ErrorCode; readonly message: string };
}

/** What the human made of it. */
export type ApprovalAnswer =
  | { readonly decision: 'approve'; readonly feedback?: string; readonly remember?: RememberedRule }
  | { readonly decision: 'edit'; readonly modifiedArgs: ToolArguments; readonly feedback?: string; readonly remember?: RememberedRule }
  /** `noHuman`: nobody refused it, nobody is there (H3). */
  | { readonly decision: 'reject'; readonly feedback?: string; readonly noHuman?: boolean; readonly remember?: RememberedRule };

/** A rule that goes with a decision: `hitl_decision.remember`. */
export interface RememberedRule {
  readonly scope: 'session' | 'project' | 'user';
  readonly rule: Readonly<Record<string, unknown>>;
}

/**
 * Asks the human. `signal` aborts when the question is settled elsewhere (another client, expiry, cancellation) or the client closes:
 * clear the prompt. `undefined` decides nothing: the call goes on waiting for somebody else, or is refused if only this client could
 * decide. A rejection of the promise decides nothing either (H3).
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer | undefined>;
