import type { CallHead, RetryReason, TurnStop } from '@codelab/protocol';
import type { ContextKnowledge } from '@codelab/bus';
import { OFFLINE_MODEL, type ToolItem } from '@codelab/llm';
import type { VocabularyName } from '@codelab/tools';
import type { Marks, ResultImage, SourceTool } from '@codelab/vocabularies';
import type { CallResult } from '../calls/call-result.js';
import type { TurnTrace } from '../tracing/turn-trace.js';
import type { Told } from '../prompt/told.js';

/** The shape of the stored text. A text of a newer shape is left to newer releases. */
export const STATE_SCHEMA = 3;

/** What a session's runtime remembers between two commits; the text of `meta.state`. All of it is replaced, nothing is changed in place. */
export interface SessionState {
  /** Commits that wrote a state. No two states of a session have the same text, so a commit whose answer was lost can be recognised. */
  readonly commits: number;
  readonly turn?: Turn;
  /** Calls whose result was made up here, the latest last: a true result that comes later is told to the model by name. */
  readonly reported: readonly ReportedCall[];
  /** What uses of tools know of those before them; absent until one leaves something. */
  readonly marks?: Marks;
  /** What the model has been told of the workspace; absent before the first turn, and where a program says everything. */
  readonly told?: Told;
  /** What is known of the window of the model that answered last; absent before its first answer. */
  readonly context?: ContextState;
  /** How the turn of a child ended that works on a part of its parent's task; absent everywhere else. */
  readonly ended?: Ended;
  /** Items of the history. Not stored: `meta.historyVersion` is the truth. */
  readonly historyVersion: number;
}

/** How a turn ended, for the session that waits for it. */
export interface Ended {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Why, if not by itself. */
  readonly reason?: string;
  readonly usage: TurnUsage;
}

/** How full the window of a model is, and what was learned of it. */
export interface ContextState extends ContextKnowledge {
  /** Tokens of the last request. */
  readonly tokens?: number;
  /** What the model reads at most. */
  readonly limit?: number;
}

/** A summary that is being made of what is older. */
export interface Compacting {
  /** No model can. */
  readonly mechanical?: true;
  /** What the user wants to be kept above all. */
  readonly focus?: string;
  /** The user asked for it, and nothing else follows in this turn. */
  readonly byCommand?: true;
}

/** What is remembered of a call whose result was made up here. */
export interface ReportedCall {
  readonly callId: string;
  readonly turnId: string;
  readonly toolName: string;
  readonly edited?: string;
  /** The model called a row of a vocabulary, which reads results in its own words. */
  readonly ofRow?: true;
}

/** A turn that runs. */
export interface Turn {
  readonly turnId: string;
  /** The user's messages that it answers, steered ones too, in the order in which they went in. */
  readonly messageIds: readonly string[];
  /** '' until an answer names it: the proxy's default. */
  readonly model: string;
  readonly agent: string;
  /** Agents that have handed the turn over, the first one first; absent for none. */
  readonly handedBy?: readonly string[];
  /** In whose words the model calls tools, from the first request to the last. */
  readonly vocabulary: VocabularyName;
  readonly startedAtMs: number;
  /** Absent where nobody traces it. */
  readonly trace?: TurnTrace;
  /** Model requests, repeated ones not counted. */
  readonly rounds: number;
  /** Requests in a row that failed. */
  readonly failures: number;
  readonly usage: TurnUsage;
  /** How often the conversation was compacted for the next answer; absent for never. */
  readonly squeezed?: number;
  /** Time spent before the present phase, in milliseconds; waiting for a human doesn't count. */
  readonly activeMs: number;
  readonly phase: Phase;
  readonly phaseSinceMs: number;
  /** Messages that go in before the next model request. */
  readonly steered: readonly SteeredMessage[];
  /** How often tools were used that a turn may use so often only; by the name that limits them. */
  readonly used?: Readonly<Record<string, number>>;
  /** Signatures of the last calls, for loops. */
  readonly recent: readonly string[];
  /** It has used up its budget, as said here, and is asked for its last words. */
  readonly lastWords?: string;
  /** When the cancellation was seen. */
  readonly cancelledAtMs?: number;
  /** When to judge the calls that wait once more, in case that nobody says that the rule of a decision is kept. */
  readonly reviewAtMs?: number;
}

export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

/** Where a turn stands. `starting`, `answered` and `failed` last no longer than the step that makes them, so they are never stored. */
export type Phase =
  | { readonly kind: 'starting'; readonly compacting?: Compacting }
  | { readonly kind: 'asking'; readonly step: Step }
  | {
      readonly kind: 'retrying';
      readonly atMs: number;
      readonly message: MessageName;
      readonly compacting?: Compacting;
      readonly retry?: Retry;
    }
  | { readonly kind: 'calling'; readonly calls: readonly Call[]; readonly uses: readonly Use[] }
  | { readonly kind: 'answered'; readonly stop?: TurnStop }
  | { readonly kind: 'failed'; readonly error: { readonly code: 'TURN_FAILED' | 'QUOTA' | 'INTERNAL'; readonly message: string } };

/** Why a model is asked again by itself. */
export interface Retry {
  readonly reason: RetryReason;
  /** For the person who waits. */
  readonly message: string;
  /** The number of the attempt that follows, from 2. */
  readonly attempt: number;
  readonly maxAttempts?: number;
  readonly atMs: number;
}

/** What people are told of the code of a failure that passes. */
export const toReason = (code: string): RetryReason => (code === 'rate_limited' || code === 'overloaded' ? code : 'unavailable');

/** The text message that a model request fills. `replaces`: what the user sees of a request that had to be repeated. */
export interface MessageName {
  readonly messageId: string;
  readonly replaces?: string;
}

/** A model request that is out. */
export interface Step extends MessageName {
  readonly stepId: string;
  /** A summary is asked for, not the next part of the turn. */
  readonly compacting?: Compacting;
  /** The attempt whose text is shown; 0 before the first sign of one. */
  readonly attempt: number;
  /** UTF-16 units of the message that are in the log. */
  readonly shown: number;
  /** Ids of calls that the model has begun to write, by their place in the answer. */
  readonly begun: Readonly<Record<string, string>>;
  /** The text as far as it is known without a hole. Not stored: the step's record has it. */
  readonly text: string;
  /** Text behind a hole. Not stored. */
  readonly ahead?: { readonly offset: number; readonly text: string };
  /** The proxy waits before it asks the model again. Not stored: it is over soon. */
  readonly retry?: Retry;
  /** When text was last put to the log; 0 for never. Not stored. */
  readonly flushedAtMs: number;
}

/** What is known of every call of the answer that a turn works on. */
interface CallFacts extends Pick<CallHead, 'callId' | 'toolName' | 'deadlineMs'> {
  /** A human takes part in it, or another agent, which has a time of its own: the time doesn't count. */
  readonly human: boolean;
  /** Another agent works on it, in a child of the session. */
  readonly task?: true;
  /** The runtime runs it itself. */
  readonly server?: true;
}

/** What is known of a call that somebody may decide or run. */
interface OpenFacts extends CallFacts, CallHead {
  readonly argsSha256: string;
  /** The assignment. */
  readonly fence: number;
  /** When it was made; absent for one of a release before traces. */
  readonly openedAtMs?: number;
  /** Somebody had to be asked. */
  readonly asked: boolean;
  /** How often it was asked anew, because the executor found something else than what was approved. */
  readonly askedAnew: number;
  /** The `tool_call` frame as first sent. Not stored: the call's record has it. */
  readonly frame: string;
}

/** A call that waits for a decision. */
export interface UndecidedCall extends OpenFacts {
  readonly state: 'waiting_approval';
  /** When the question expires; 0: never. */
  readonly expiresAtMs: number;
  /** It is asked about because the model repeats itself: no rule spares that. */
  readonly loop?: true;
}

/** A call that its executor may run. */
export interface ReadyCall extends OpenFacts {
  readonly state: 'ready';
  readonly readyAtMs: number;
  /** When to look how far the executor is. */
  readonly checkAtMs: number;
  /** When it was first seen that a client without identity was given the call; 0: not yet. */
  readonly givenAtMs: number;
  /** When it was told to stop for being late; 0: not. */
  readonly stoppedAtMs: number;
  /** A rule that is bound to files allowed it: the executor looks at these files before it runs it. */
  readonly bound?: true;
  /** The arguments that a human had run instead: JSON text. */
  readonly edited?: string;
}

/** A call that has its result. */
export interface SettledCall extends CallFacts {
  readonly state: 'settled';
  readonly result: CallResult;
  /** It has no record any more, or never had one: nothing is left to close. */
  readonly closed: boolean;
  readonly edited?: string;
  /** Somebody was asked about it. */
  readonly asked?: true;
  /** The `tool_call` frame, for the row that reads its outcome. Not stored: the call's record has it. */
  readonly frame?: string;
}

/** A call that only the program that began the session can run: it has no result here. */
export interface HandedOverCall extends CallFacts {
  readonly state: 'handed_over';
}

/**
 * One use of a tool by the model: calls that are made for it, one after another, and its result for the model. It has the id of its first call,
 * and a result even if there is none.
 */
export interface Use {
  readonly useId: string;
  /** The calls made so far, in order. */
  readonly callIds: readonly string[];
  /** Absent where the model makes the call itself: the result of the call is the result of the use, as it came. */
  readonly row?: RowUse;
}

/** A use of a row of the vocabulary. */
export interface RowUse {
  /** As the model called it. */
  readonly name: string;
  /** What its row takes: JSON text. */
  readonly args: string;
  /** Set where it is no row of the vocabulary but a tool from outside, whose results read as its source says. */
  readonly own?: SourceTool;
  /** The file that it is about, for the order of uses. */
  readonly file?: string;
  /** The files and directories, where it is about several. */
  readonly files?: readonly string[];
  readonly end?: UseEnd;
}

/** The result of a use, as the model reads it. */
export interface UseEnd {
  readonly text: string;
  readonly isError: boolean;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly images?: readonly ResultImage[];
  /** The same in parts, for clients; the content of a single one is `text` and left out. */
  readonly items?: ToolItem['items'];
}

export type OpenCall = UndecidedCall | ReadyCall;
/** A tool call of the answer that the turn works on: `CALL_TRANSITIONS` of the protocol, as the worker that advances the session sees it. */
export type Call = OpenCall | SettledCall | HandedOverCall;

export const isOpen = (call: Call): call is OpenCall => call.state === 'ready' || call.state === 'waiting_approval';

/** A message that joins the running turn. */
export interface SteeredMessage {
  readonly messageId: string;
  /** The `user_message` frame. */
  readonly frame: string;
}

/** The state of a session in which nothing has happened. */
export const EMPTY_STATE: SessionState = { commits: 0, reported: [], historyVersion: 0 };

/** The calls of the answer that a turn works on; none in other phases. */
export const callsOf = (turn: Turn): readonly Call[] => (turn.phase.kind === 'calling' ? turn.phase.calls : []);

/** The calls of it that the runtime has to run itself now. */
export const openServerCalls = (turn: Turn | undefined): readonly ReadyCall[] =>
  turn === undefined ? [] : callsOf(turn).filter((call): call is ReadyCall => call.state === 'ready' && call.server === true);

/** The uses of tools in the answer that a turn works on; none in other phases. */
export const usesOf = (turn: Turn): readonly Use[] => (turn.phase.kind === 'calling' ? turn.phase.uses : []);

/** What clients are told of the model. */
export const shownModel = ({ model }: Pick<Turn, 'model'>): string => model || OFFLINE_MODEL;

/** The model request of a turn, if one is out. */
export const stepOf = (turn: Turn | undefined): Step | undefined => (turn?.phase.kind === 'asking' ? turn.phase.step : undefined);

/** A turn at its beginning: nothing asked, used or called yet. */
export const newTurn = (begun: Pick<Turn, 'turnId' | 'messageIds' | 'model' | 'agent' | 'vocabulary' | 'trace'>, nowMs: number): Turn => ({
  ...begun,
  startedAtMs: nowMs,
  rounds: 0,
  failures: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  activeMs: 0,
  phase: { kind: 'starting' },
  phaseSinceMs: nowMs,
  steered: [],
  recent: [],
});
