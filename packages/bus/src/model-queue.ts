import type { Thought } from '@codelab/llm';
import type { SessionRef, Sid } from './session-ref.js';

/** What a runtime asks of a model. The history is not in it: the proxy reads it. */
export interface StepRequest extends StepPrompt {
  readonly turnId: string;
  readonly messageId: string;
  readonly model: string;
  readonly agent: string;
  readonly vocabulary: string;
  /** Items of the history that count. */
  readonly historyVersion: number;
  /** A program started the turn, through llm-proxy. */
  readonly origin?: 'proxy';
  /** `session_id` of the session in whose child the turn runs: what it uses counts there. */
  readonly parent?: string;
  /** The conversation begins before the history: with what `ClaimedStep.readBase` answers, which also stands for `system`. */
  readonly hasBase?: true;
  readonly traceparent?: string;
  /** What the session knows of its model's window. */
  readonly context?: ContextKnowledge;
  /** How often the conversation was compacted since the last answer, and the request was too long all the same. Default: 0. */
  readonly squeezed?: number;
  /** Not the next answer is asked for, but a summary of what is older. */
  readonly compact?: CompactRequest;
  /** No client shows calls while they are written: nobody needs to hear that one begins. */
  readonly callsUnseen?: true;
}

/** What a session has learned of its model's window from answers and refusals. */
export interface ContextKnowledge {
  /** What the upstream calls the model that this is of. */
  readonly model: string;
  /** Tokens that the provider counts to one that is estimated. */
  readonly scale: number;
  /** The window, where the provider named it or refused a request below the known one. */
  readonly window?: number;
}

/** How the older part of a conversation is summed up. */
export interface CompactRequest {
  /** Without a model: it could not. */
  readonly mechanical?: true;
  /** What the user wants to be kept above all. */
  readonly focus?: string;
  /** All of it: nothing is kept as it was. */
  readonly whole?: true;
}

/** What the requests of a session have in common. */
export interface StepPrompt {
  /** The system prompt. */
  readonly system: string;
  /** Canonical names of the tools that the executor has and the agent may use, and definitions of foreign ones. */
  readonly tools: readonly StepTool[];
  /** Of the texts of the system prompt, where a runtime wrote it. */
  readonly version?: number;
}

/** A request as JSON text in its step's record: the prompt stands there by its hash. Releases before wrote it out instead. */
export type StoredRequest = Omit<StepRequest, keyof StepPrompt> & { readonly prompt: string };

/** A `StepPrompt` as JSON text, and its SHA-256 in hex. */
export interface StoredPrompt {
  readonly hash: string;
  readonly text: string;
}

/** A tool as the model sees it. */
export interface StepTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A definition of a provider's own that stands for the others where its dialect is spoken: `{type: 'bash_20250124', name: 'bash'}`. */
  readonly vendor?: { readonly [setting: string]: unknown; readonly type: string };
}

/**
 * What a model answered; JSON text in the step's record and in the inbox. Tool names are model-facing; `providerId` is empty where the provider
 * gave none, or one twice.
 */
export interface StepAnswer {
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly { readonly providerId: string; readonly name: string; readonly arguments: string }[];
  /** What the model thought before its calls, where its provider wants that back. Never shown. */
  readonly thinking?: readonly Thought[];
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter';
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number };
  /** How full the window was with this answer. */
  readonly context?: ContextUse;
  /** Of a compaction: `text` stands in the place of all items before `upTo`; absent where nothing was left to sum up. */
  readonly summary?: { readonly upTo: number; readonly mechanical?: true };
}

/** How full a model's window is. */
export interface ContextUse extends ContextKnowledge {
  /** Of the request, in tokens: as the provider counted, else as estimated. */
  readonly tokens: number;
  /** What the model reads at most. */
  readonly limit: number;
  /** What the model was shown less of, for the history. */
  readonly cut?: { readonly upTo: number; readonly limit?: number };
}

/** Why there is no answer. `message` is safe for a user to read (L1). */
export interface StepFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  /** How long to wait before it is asked again, at least: a limit of the provider or of ours. */
  readonly retryAfterMs?: number;
  /** What the provider said of that, for the person who waits: at most 300 characters. */
  readonly waitWording?: string;
  /** Of a request that was too long (`context_length`, `too_large`). */
  readonly context?: ContextKnowledge;
}

/** Why a request is not answered yet: it was refused for now, and is asked again by itself. */
export interface StepWait {
  /** A code of the failure, as in `StepFailure`. */
  readonly code: string;
  /** For the person who waits: the provider's words, else ours. */
  readonly message: string;
  /** The number of the attempt that follows, from 2. */
  readonly attempt: number;
  /** How many there will be at most; absent where time alone ends them. */
  readonly maxAttempts?: number;
  readonly delayMs: number;
}

/** A piece of an answer while it is written. A new attempt begins again at offset 0. */
export interface StepDelta {
  readonly stepId: string;
  readonly attempt: number;
  /** UTF-16 units of the text before `text`. */
  readonly offset: number;
  readonly text: string;
  /** A tool call that the model has begun to write. */
  readonly tool?: { readonly index: number; readonly name: string };
  /** Nothing was written: the request waits. */
  readonly wait?: StepWait;
  /** Nothing was written: a piece of what the model thinks. */
  readonly thought?: string;
}

/** A model request that this consumer, and nobody else, works on. */
export interface ClaimedStep {
  readonly ref: SessionRef;
  readonly stepId: string;
  readonly attempt: number;
  readonly request: StepRequest;
  /** Fires when the turn is cancelled, another attempt took over, or the consumer closes (L2). */
  readonly signal: AbortSignal;
  /** The history up to `request.historyVersion`, from item `from`. */
  readHistory(from: number): Promise<readonly string[]>;
  /** `NewChild.base` of a step that has one; `undefined` for any other. */
  readBase(): Promise<string | undefined>;
  /** Tells the runtime, and keeps the text for one that comes later. Never waits for Redis. */
  publish(delta: Omit<StepDelta, 'stepId' | 'attempt' | 'wait' | 'thought'>): void;
  /** Tells whoever listens now that the request waits. */
  tellWait(wait: StepWait): void;
  /** Tells whoever listens now what the model thinks. It is not kept. */
  tellThought(thought: string): void;
  /** Stores the answer; the first one of the current attempt wins. `false`: too late. */
  answer(answer: StepAnswer): Promise<boolean>;
  fail(failure: StepFailure): Promise<boolean>;
}

/** How requests are served. */
export interface ConsumeOptions {
  /** Names the process. */
  readonly consumer: string;
  /** How many are served at a time. */
  readonly concurrency: number;
  /** From which item on the history of a session will be read: it comes with the request, unless it is long. Default: from the first. */
  readonly historyFrom?: (sid: Sid) => number;
}

/**
 * Model requests, from runtimes to proxies. The step's record `requested → running(attempt) → answered | failed` is the truth; the stream
 * only carries its name. A consumer that dies or stands still is followed by another one within 2 s, as the next
 * attempt, and at the latest when its claims end, within 5 s.
 */
export interface ModelQueue {
  /** Puts the name of a stored step to the queue; harmless when repeated. */
  announce(sid: Sid, stepId: string): Promise<void>;
  /** Text that is being written, to the holder of the lease. */
  watch(sid: Sid, listener: (delta: StepDelta) => void): Promise<void>;
  unwatch(sid: Sid): Promise<void>;
  /** The step as it stands: for a runtime that was not there. */
  readStep(sid: Sid, stepId: string): Promise<StepReading | undefined>;
  /** Serves requests until closed: running ones are let go of then, for another consumer. */
  consume(serve: (step: ClaimedStep) => Promise<void>, options: ConsumeOptions): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

/** A step's record. */
export interface StepReading {
  readonly state: 'requested' | 'running' | 'answered' | 'failed';
  readonly attempt: number;
  /** The text so far, as last stored by the consumer; may lag by half a second. */
  readonly partial: string;
}
