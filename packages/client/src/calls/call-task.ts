import { decodeServerFrame, type CallRecord, type JsonText, type Operand, type ServerFrameOf, type Snapshot } from '@codelab/protocol';
import { argsDigest, findTool } from '@codelab/tools';
import type { CallFacts } from '../journal/journal-index.js';
import type { LaneJob } from './call-lanes.js';
import { nameOfTool, type CallPreview, type ToolArguments, type ToolExecutor } from './tool-executor.js';

/** Arguments with the digest that this client computed of them itself. */
export interface CheckedArguments {
  readonly args: ToolArguments;
  readonly text: string;
  readonly sha256: string;
}

/** Where a call stands at this client. */
export type CallPhase =
  | { readonly kind: 'new' }
  /** The servers wait for a decision. */
  | { readonly kind: 'asking' }
  /** It could run, but this client's own local policy asks. */
  | { readonly kind: 'confirming' }
  /** Decided; waits for its lane. */
  | { readonly kind: 'queued'; readonly job: LaneJob }
  | { readonly kind: 'running'; readonly stop: AbortController }
  /** Its answer is on the way, for this assignment. */
  | { readonly kind: 'answering'; readonly fence: number };

/** One open call. */
export interface CallTask extends Pick<CallRecord, 'callId'> {
  readonly order: number;
  /** The call as it was last sent. */
  frame: ServerFrameOf<'tool_call'>;
  /** Its arguments; `undefined` where they are no arguments. */
  shown: CheckedArguments | undefined;
  phase: CallPhase;
  /** This client has it to execute, and has looked into its journal for it. */
  claimed: boolean;
  preview?: CallPreview;
  /** The servers have a preview of it. */
  isPreviewKnown: boolean;
  /** The files as they were when it was shown, by this process or by one before it (H2). */
  binding?: { readonly argsSha256: string; readonly operands: readonly Operand[] };
  /** The number of the last question about it that was put here, by this process or by one before it: what counts is its decision (H2). */
  question?: number;
  /** The servers say that a human decided on it, and not a rule. */
  decided?: boolean;
  /** Aborted when the call is given up before it began. */
  life?: AbortController;
  /** The prompt that is open; aborted when the question is settled. */
  prompt?: AbortController;
  /** Digest of the arguments that were approved at this client. */
  approvedSha256?: string;
  /** Digest of the arguments that the journal says it was begun with: it does not run again. */
  ranWith?: string;
  /** It came again as a question after it had begun: a store that was set back has lost the decision. */
  isAskedAgain?: boolean;
}

/** What a call may run as, once it was cleared. `operands`: the files that it is bound to (H2). */
export interface Cleared {
  readonly approved: boolean;
  readonly operands?: readonly Operand[];
}

/** Who decided, where a rule that the servers keep did. */
export const BY_RULE = 'policy';

/** The number of the question that a call waits for, or was decided by. */
export const questionOf = ({ frame }: Pick<CallTask, 'frame'>): number => frame.approval?.question ?? 1;

/** A child of the session made it: a program's, or one that works on a task. */
export const isOfChild = ({ frame }: CallTask): boolean => frame.origin !== undefined;

/** A program wants the call: it has no part in the turns of this session. */
export const isProgram = ({ frame }: CallTask): boolean => frame.origin === 'proxy';

/** What a journal notes of a call, and a run needs. */
export const factsOf = ({ callId, frame, shown }: CallTask, executor: ToolExecutor | undefined): CallFacts => ({
  callId,
  argsSha256: shown?.sha256 ?? '',
  toolName: frame.tool_name,
  unsafe: isUnsafe(frame, executor),
  fence: frame.fence,
  child: frame.origin === undefined ? undefined : true,
});

/** Reads arguments; `undefined`: not an object, or with numbers that have no digest. */
export function checkArguments(json: JsonText): CheckedArguments | undefined {
  try {
    const args = json.parse();
    if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
    return { args: args as ToolArguments, text: json.text, sha256: argsDigest(args) };
  } catch {
    return undefined; // no JSON, or nothing that RFC 8785 can write
  }
}

/** Whether the executor has the tool. */
export const hasTool = (executor: ToolExecutor, name: string): boolean => executor.tools.some((tool) => nameOfTool(tool) === name);

/** Whether a call takes effect at most once. A frame can't make a tool safer than this release, or the executor, says that it is. */
export function isUnsafe(frame: ServerFrameOf<'tool_call'>, executor: ToolExecutor | undefined): boolean {
  if (frame.idempotency !== 'safe') return true;
  const known = findTool(frame.tool_name);
  if (known !== undefined) return known.idempotency !== 'safe';
  return executor?.tools.some((tool) => typeof tool !== 'string' && tool.name === frame.tool_name && tool.idempotency !== 'safe') ?? true;
}

/** The calls of a snapshot; a large one may be left out, and comes by itself. */
export const readOpenCalls = ({ open_calls }: Snapshot): readonly ServerFrameOf<'tool_call'>[] =>
  open_calls.map((item) => decodeServerFrame(JSON.stringify(item))).filter((frame) => frame?.type === 'tool_call');
