import type { Approval, Preview } from '@codelab/protocol';
import type { AttachmentChip } from '../mentions/attachment-chip.js';
import type { CallOutput } from './call-output.js';
import type { Todo } from './todo.js';

/** Where a tool call stands, as people see it. `unknown`: begun, and its end was not heard of. */
export type CallProgress = 'writing' | 'waiting' | 'ready' | 'running' | 'done' | 'failed' | 'rejected' | 'cancelled' | 'unknown';

/** A message of the user. `sent`: no answer of the server yet. */
export interface UserItem {
  readonly kind: 'user';
  readonly messageId: string;
  readonly content: string;
  readonly state: 'sent' | 'accepted' | 'steered' | 'refused';
  /** The files that go with it. */
  readonly attachments?: readonly AttachmentChip[];
}

/** A message of the model. `final`: the answer of the turn. `replaced`: its request was repeated, another message stands for it. */
export interface AssistantItem {
  readonly kind: 'assistant';
  readonly messageId: string;
  readonly text: string;
  readonly done: boolean;
  readonly final: boolean;
  readonly replaced: boolean;
}

/** A tool call. Times are those of this machine, in milliseconds, and leave out the wait for people. */
export interface CallItem {
  readonly kind: 'call';
  readonly callId: string;
  readonly toolName: string;
  /** JSON text; after an edit, that of the arguments that run. */
  readonly args: string;
  readonly argsSha256: string;
  readonly progress: CallProgress;
  readonly approval?: Approval;
  /** What the call would do; none for edited arguments until somebody has looked again. */
  readonly preview?: Preview | undefined;
  readonly feedback?: string;
  /** The words are a policy's, not a human's. */
  readonly byPolicy?: boolean;
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** What came out of it, in a few words. */
  readonly summary?: string;
  /** What it has printed so far, while it runs. */
  readonly output?: CallOutput;
  /** A program wants it, through llm-proxy: it has no part in the turns of this session. */
  readonly program?: true;
  /** Secrets that were masked in its result, by their masks. */
  readonly masks?: readonly string[];
}

/** The end of a turn. */
export interface TurnEndItem {
  readonly kind: 'turn_end';
  readonly turnId: string;
  readonly model: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly usage: TokenUsage;
  readonly elapsedMs?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Something that people should know and that is not part of the conversation. */
export interface NoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly tone: 'info' | 'warning' | 'error';
  readonly text: string;
}

export type Item = UserItem | AssistantItem | CallItem | TurnEndItem | NoticeItem;

/** Tokens and, where the price is known, US dollars. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

export interface RunningTurn {
  readonly turnId: string;
  readonly startedAtMs: number;
  readonly cancelling: boolean;
}

export interface QueuedMessage {
  readonly messageId: string;
  readonly content: string;
  readonly attachments?: readonly AttachmentChip[];
}

/** Everything that a screen shows of a session. A value: each event makes a new one. */
export interface SessionView {
  readonly sessionId?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly executor: 'you' | 'other' | 'none';
  readonly link: 'connecting' | 'open' | 'lost' | 'closed';
  readonly items: readonly Item[];
  readonly turn?: RunningTurn;
  readonly activity: 'thinking' | 'writing' | 'waiting' | 'idle';
  /** The tool whose call the model is writing just now. */
  readonly drafting?: string | undefined;
  readonly queue: readonly QueuedMessage[];
  /** The task list of the agent. */
  readonly todos: readonly Todo[];
  readonly usage: TokenUsage;
  /** Numbers the notices. */
  readonly notices: number;
}

export const EMPTY_SESSION: SessionView = {
  executor: 'none',
  link: 'connecting',
  items: [],
  activity: 'idle',
  queue: [],
  todos: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  notices: 0,
};

/** Names an item for as long as it lives. */
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
      return `notice:${item.id}`;
  }
}

/** Whether nothing more will happen to a call. */
export const isSettled = (call: CallItem): boolean => ['done', 'failed', 'rejected', 'cancelled', 'unknown'].includes(call.progress);

/** The calls that wait for a human, oldest first. */
export const waitingCalls = (view: SessionView): readonly CallItem[] =>
  view.items.filter((item): item is CallItem => item.kind === 'call' && item.progress === 'waiting');
