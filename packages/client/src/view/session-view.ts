import type { Approval, CallRecord, DecisionRecord, Operand, Preview, RetryReason, TurnError, TurnUsage } from '@codelab/protocol';

/** Where a tool call stands, as people see it. `unknown`: begun, and its end was not heard of. */
export type CallProgress = 'waiting' | 'ready' | 'running' | 'done' | 'failed' | 'rejected' | 'cancelled' | 'unknown';

/** A file that goes with a message, without its content. */
export interface ViewAttachment {
  /** In the workspace. */
  readonly path: string;
  /** `10-20`; the whole file without. */
  readonly lines?: string;
  /** Of a text whose content is known: its lines. */
  readonly lineCount?: number;
  /** Of an image whose content is known: its size. */
  readonly imageBytes?: number;
}

/** A picture in the result of a call, without its bytes. */
export interface ViewImage {
  readonly mediaType: string;
  readonly bytes: number;
}

/** A message of the user. `sent`: no answer of the server yet; `steered`: it went into a turn that ran. */
export interface UserItem {
  readonly kind: 'user';
  readonly messageId: string;
  readonly content: string;
  readonly state: 'sent' | 'accepted' | 'steered' | 'refused';
  readonly attachments?: readonly ViewAttachment[];
}

/** A message of the model. */
export interface AssistantItem {
  readonly kind: 'assistant';
  readonly messageId: string;
  /** Markdown. */
  readonly text: string;
  /** It grows no more. */
  readonly done: boolean;
  /** It is the answer of the turn. Frames tell it, a history doesn't. */
  readonly final: boolean;
  /** Its request was repeated: another message stands for it. */
  readonly replaced: boolean;
}

/** What the model thought before it said or did something. It is told while it thinks, and not again. */
export interface ThoughtItem {
  readonly kind: 'thought';
  /** Counts from 1. */
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  /** Of this machine. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** The end of what a running call has printed. */
export interface CallOutput {
  /** Both streams, in the order in which it came: at most 4,000 characters, with whatever the tool wrote to steer a terminal. */
  readonly tail: string;
  /** Bytes of each stream that were seen, so that what comes twice counts once. */
  readonly stdout: number;
  readonly stderr: number;
}

/**
 * A tool call. Times are those of this machine, in milliseconds, and leave out the wait for people. `argsSha256` is '' where only the
 * history tells of the call; `feedback` are the words of the one who refused it.
 */
export interface CallItem extends Pick<CallRecord, 'callId' | 'toolName' | 'argsSha256'>, Pick<DecisionRecord, 'feedback'> {
  readonly kind: 'call';
  /** JSON text; after an edit, that of the arguments that run. */
  readonly args: string;
  readonly progress: CallProgress;
  /** The question, and once it is decided `outcome`, `by` and `at_ms`. */
  readonly approval?: Approval;
  /** What the call would do; none for edited arguments until somebody has looked again. */
  readonly preview?: Preview;
  /** The files that the decision is bound to (H2). */
  readonly operands?: readonly Operand[];
  /** The words are a policy's, not a human's. */
  readonly byPolicy?: boolean;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** What came out of it, in a few words: from this machine's executor. */
  readonly summary?: string;
  /** What the model read of its result, where the history tells it. */
  readonly result?: string;
  /** The pictures in it, where the history tells it; the port of the session loads them. */
  readonly images?: readonly ViewImage[];
  /** The status that its command ended with, where that is not 0; null where a signal ended it, or it is a cell that raised. From this machine's executor. */
  readonly exitCode?: number | null;
  /** What it has printed: so far, or at its end. */
  readonly output?: CallOutput;
  /** A program wants it, through llm-proxy: it has no part in the turns of this session. */
  readonly program?: true;
  /** An agent that works on a part of the task wants it: the call of `task` by which that one works. */
  readonly taskCallId?: string;
  /** Of a call of `task`: how many calls its agent has made, and the latest of them. */
  readonly activity?: { readonly calls: number; readonly latest: Pick<CallItem, 'toolName' | 'args'> };
  /** Secrets that were masked in its result, by their masks. */
  readonly masks?: readonly string[];
}

/** The end of a turn. */
export interface TurnEndItem {
  readonly kind: 'turn_end';
  readonly turnId: string;
  readonly model: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Tokens and, where the price is known, US dollars. */
  readonly usage: TurnUsage;
  /** Since this view saw it start; absent if it didn't. */
  readonly elapsedMs?: number;
  readonly error?: TurnError;
}

/** Something that people should know and that is not part of the conversation: plain text from outside, not made safe for a terminal. */
export interface NoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly tone: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** A command that the user ran on this machine, by their own will. No server knows of it before the next message tells the model. */
export interface ShellItem {
  readonly kind: 'shell';
  readonly id: string;
  readonly command: string;
  readonly startedAtMs: number;
  /** The end of what it has printed, both streams as they came, with whatever steers a terminal; `cut`: there was more. */
  readonly tail: string;
  readonly cut: boolean;
  /** Absent while it runs. `code`: null where a signal ended it, or it is a cell that raised. */
  readonly ended?: { readonly code: number | null; readonly atMs: number };
}

/** One entry of a session, told apart by `kind`. */
export type Item = UserItem | AssistantItem | CallItem | TurnEndItem | NoticeItem | ShellItem | ThoughtItem;

/** The turn that runs. */
export interface RunningTurn {
  readonly turnId: string;
  readonly startedAtMs: number;
  /** Somebody at this client asked it to stop. */
  readonly cancelling: boolean;
}

/** Why the model is asked again. `message` is plain text from outside, not made safe for a terminal. */
export interface Retry {
  readonly reason: RetryReason;
  readonly message?: string;
  /** The number of the attempt that follows, from 2, and how many there will be at most, if that is known. */
  readonly attempt: number;
  readonly maxAttempts?: number;
  /** When it is asked again, by this machine's clock. */
  readonly atMs: number;
}

/** A message that waits. */
export interface QueuedMessage extends Pick<UserItem, 'messageId' | 'content' | 'attachments'> {
  /** It was sent here and has no answer yet: what the servers say of the queue may be older. */
  readonly unconfirmed?: true;
}

/** One task of the agent's list. */
export interface Todo {
  readonly content: string;
  readonly status: 'open' | 'active' | 'done';
}

/** Everything that a screen shows of a session. A value: each event makes a new one, see `reduceSession`. */
export interface SessionView {
  /** Absent until the first `welcome`. */
  readonly sessionId?: string;
  /** The life of the log, and the last frame of it, that are in the view. */
  readonly epoch?: string;
  readonly seq: number;
  readonly model?: string;
  readonly agent?: string;
  readonly mode?: string;
  readonly executor: 'you' | 'other' | 'none';
  readonly link: 'connecting' | 'open' | 'lost' | 'closed';
  /** The last items, oldest first: at most 1,000, and those that were paged in. */
  readonly items: readonly Item[];
  /** Where REST goes on with items older than the first: `history_read` puts them before it. Absent: there are none, or all may be read anew. */
  readonly historyCursor?: string;
  readonly turn?: RunningTurn;
  readonly activity: 'thinking' | 'writing' | 'waiting' | 'compacting' | 'idle';
  /** The model did not answer and is asked again by itself; absent otherwise. */
  readonly retry?: Retry;
  /** The tool whose call the model is writing just now. */
  readonly drafting?: string;
  readonly queue: readonly QueuedMessage[];
  /** Messages that go into the turn that runs, before the model's next step. */
  readonly steering: readonly QueuedMessage[];
  /** Messages that wait no more and were not seen to begin a turn or to go into one yet: at most 32, kept because those frames don't repeat their text. */
  readonly leaving: readonly QueuedMessage[];
  readonly todos: readonly Todo[];
  /** The sum of all turns that this view saw end; of `context_*` what the last of them said. */
  readonly usage: TurnUsage;
  /** Numbers the notices and thoughts. */
  readonly notices: number;
}

/** The view before anything happened. */
export const EMPTY_VIEW: SessionView = {
  seq: 0,
  executor: 'none',
  link: 'connecting',
  items: [],
  activity: 'idle',
  queue: [],
  steering: [],
  leaving: [],
  todos: [],
  usage: { input_tokens: 0, output_tokens: 0 },
  notices: 0,
};

/** Names an item for as long as it lives; no two items of a view have the same. */
export function keyOf(item: Item): string {
  switch (item.kind) {
    case 'user':
    case 'assistant':
      return `${item.kind}:${item.messageId}`;
    case 'call':
      return `call:${item.callId}`;
    case 'turn_end':
      return `turn:${item.turnId}`;
    case 'notice':
    case 'shell':
    case 'thought':
      return `${item.kind}:${item.id}`;
  }
}

/** Whether a call is one of a child of the session: its snapshots don't tell of it, and it comes again while it is open. */
export const isOfChild = ({ program, taskCallId }: CallItem): boolean => program === true || taskCallId !== undefined;

/** Whether nothing more will happen to a call. */
export const isSettled = ({ progress }: CallItem): boolean => progress !== 'waiting' && progress !== 'ready' && progress !== 'running';
