import type {
  ChildSessions,
  Handovers,
  NewChild,
  SessionStreams,
  SessionMeta,
  SessionRef,
  ToolCallLog,
  SessionCalls,
  SessionDeliveries,
  SessionReads,
  SessionStream,
} from '@codelab/bus';
import { ApiError, LlmError, type HistoryItem, type StreamPart, type Usage } from '@codelab/llm';
import { decodeServerFrame, type ServerFrame, type ServerFrameOf } from '@codelab/protocol';
import type { ToolInfo } from '../catalog/tool-info.js';
import type { AnswerEvent } from '../../serve/answer-parts.js';
import { CallClock } from './call-times.js';
import { JoinedText } from './joined-text.js';
import { openCalls, readRounds, toRounds, toRows } from './read-rounds.js';

export interface AutoRunPorts {
  readonly children: Pick<ChildSessions, 'open' | 'close'>;
  readonly streams: Pick<SessionStreams, 'open'>;
  readonly store: Pick<SessionCalls & SessionDeliveries & SessionReads, 'requestCancel' | 'readHistory'>;
  readonly handovers: Pick<Handovers, 'keep'>;
  readonly toolCalls: Pick<ToolCallLog, 'record'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long a request may take in all, in milliseconds. */
  readonly autoTimeoutMs: number;
  /** Something failed that the caller is not told of. */
  readonly onFault: (error: unknown) => void;
}

/** One request whose tools are run here. */
export interface AutoRequest {
  readonly parent: SessionRef;
  readonly child: NewChild;
  readonly serverTools: readonly ToolInfo[];
  /** The models' names of the tools of the IDE. */
  readonly modelNames: ReadonlyMap<string, string>;
  /** The caller left. */
  readonly signal: AbortSignal;
  /** How the caller is told, in a stream, what goes on. */
  readonly encodeProgress: (progress: object) => string | undefined;
}

/** Why an answer ended before the model was done. */
export type AutoStop = 'max_tool_rounds' | 'runtime_max_rounds' | 'timeout' | 'cancelled';

/** What a caller reads where the answer ends early. */
const REMARKS: Readonly<Record<AutoStop, (request: AutoRequest, timeoutMs: number) => string>> = {
  max_tool_rounds: ({ child: { maxToolRounds } }) =>
    `[Stopped: max_tool_rounds reached (${String(maxToolRounds)}). The model wanted to go on using tools.]`,
  runtime_max_rounds: ({ child: { maxToolRounds } }) =>
    `[Stopped: runtime_max_rounds reached, the server's own limit (RUNTIME_MAX_ROUNDS), which is lower than max_tool_rounds ` +
    `(${String(maxToolRounds)}). The model wanted to go on using tools.]`,
  timeout: (_, timeoutMs) => `[Stopped: the request took longer than ${String(Math.round(timeoutMs / 1_000))} s, which is the limit.]`,
  cancelled: () => '[Stopped: the request was cancelled in the IDE.]',
};

/** How long the end of a turn is waited for that was told to stop. */
const STOP_MS = 5_000;

/**
 * Runs the loop of model and tools for one request, in a child of the session whose IDE executes: text comes as the model writes it, the
 * calls run behind it. The answer ends with the turn: `stop`, or `tool_calls` with those that only the caller can run. When the caller
 * leaves, the turn is cancelled at once (L2).
 */
export class AutoRun {
  private readonly text = new JoinedText();
  private readonly clock: CallClock;
  private readonly deadline = new AbortController();
  private stopNow: AutoStop | undefined;

  constructor(
    private readonly request: AutoRequest,
    private readonly ports: AutoRunPorts,
  ) {
    this.clock = new CallClock(ports.now);
  }

  /** Set once the answer ended before the model was done. */
  get stop(): AutoStop | undefined {
    return this.stopNow;
  }

  /** The answer, once. Throws `ApiError`, `LlmError`, and what the bus throws. */
  async *parts(): AsyncGenerator<AnswerEvent, void, undefined> {
    const { ports, request } = this;
    const child = await this.open();
    const timer = setTimeout(() => this.deadline.abort(), ports.autoTimeoutMs);
    let frames: ChildFrames | undefined;
    try {
      frames = await ChildFrames.open(ports.streams, child);
      yield* this.follow(child, frames);
    } finally {
      clearTimeout(timer);
      frames?.close();
      await ports.children.close(request.parent, child.ref).catch(ports.onFault);
    }
  }

  private async open(): Promise<SessionMeta> {
    const { parent, child } = this.request;
    const opened = await this.ports.children.open(parent, child);
    if (opened.kind === 'opened') return opened.child;
    if (opened.code === 'FULL') {
      throw new ApiError(
        'overloaded',
        `As many requests as may run in the session ${parent.sessionId}. Ask again when one of them has ended.`,
      );
    }
    throw new ApiError('conflict', `The IDE of the session ${parent.sessionId} has just left. Connect it again.`, {
      code: 'no_ide_connected',
    });
  }

  private async *follow(child: SessionMeta, frames: ChildFrames): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal } = this.request;
    let until = AbortSignal.any([signal, this.deadline.signal]);
    for (;;) {
      const frame = await frames.next(until);
      if (frame === 'lost') throw new ApiError('unavailable', 'Redis lost a part of the answer. The turn was stopped.');
      if (frame !== 'stopped') {
        yield* this.tell(frame);
        if (frame.type === 'turn_ended') return yield* this.end(child, frame);
        continue;
      }
      if (signal.aborted) throw new LlmError('cancelled', 'The caller left.');
      if (this.stopNow === 'timeout') return yield* this.finish({ kind: 'finish', reason: 'stop' }); // it doesn't end even now
      this.stopNow = 'timeout';
      await this.ports.store.requestCancel(child.ref, { queue: false });
      until = AbortSignal.any([signal, AbortSignal.timeout(STOP_MS)]);
    }
  }

  private *tell(frame: ServerFrame): Generator<AnswerEvent, void, undefined> {
    if (frame.type === 'assistant_message') {
      const text = this.text.add(frame.message_id, frame.token);
      if (text !== '') yield { kind: 'text_delta', text };
      return;
    }
    const tool = this.clock.take(frame);
    if (tool !== undefined) yield* this.progress({ tool });
  }

  private async *end(child: SessionMeta, ended: ServerFrameOf<'turn_ended'>): AsyncGenerator<AnswerEvent, void, undefined> {
    const items = await readRounds(this.ports.store, child.ref);
    const isHandedOver = ended.stop === 'handed_over';
    this.log(items, ended.model, isHandedOver);
    // the code stays ours: a client that repeats the request by itself would run its tools again
    if (ended.status === 'failed') throw new LlmError('unavailable', ended.error?.message ?? 'The turn failed.', { retryable: false });
    if (ended.status === 'cancelled') this.stopNow ??= 'cancelled';
    if (ended.stop === 'max_tool_rounds' || ended.stop === 'runtime_max_rounds') this.stopNow ??= ended.stop;
    const usage = toUsage(ended.usage);
    if (isHandedOver) return yield* this.handOver(items, usage);
    yield* this.finish({ kind: 'finish', reason: 'stop', usage });
  }

  private *finish(finish: Extract<StreamPart, { kind: 'finish' }>): Generator<AnswerEvent, void, undefined> {
    if (this.stopNow !== undefined) {
      yield { kind: 'text_delta', text: this.text.remark(REMARKS[this.stopNow](this.request, this.ports.autoTimeoutMs)) };
      yield* this.progress({ stop: this.stopNow });
    }
    yield finish;
  }

  private async *handOver(items: readonly HistoryItem[], usage: Usage | undefined): AsyncGenerator<AnswerEvent, void, undefined> {
    const { handovers, onFault } = this.ports;
    const { parent, modelNames } = this.request;
    const calls = openCalls(items);
    const ids = calls.map(({ call_id }) => call_id);
    const isKept = await handovers.keep(parent.owner, ids, JSON.stringify(toRounds(items, modelNames)));
    if (!isKept) onFault(new Error('the rounds before a hand-over are too long to be remembered'));
    for (const [index, { call_id: id, tool_name: name, arguments: args }] of calls.entries()) {
      yield { kind: 'tool_call_start', index, id, name };
      if (args !== '') yield { kind: 'tool_call_delta', index, arguments: args };
      yield { kind: 'tool_call_end', index };
    }
    yield { kind: 'finish', reason: calls.length > 0 ? 'tool_calls' : 'stop', usage };
  }

  private *progress(progress: object): Generator<AnswerEvent, void, undefined> {
    const text = this.request.encodeProgress(progress);
    if (text !== undefined) yield { kind: 'event', text };
  }

  private log(items: readonly HistoryItem[], model: string, handedOver: boolean): void {
    const { parent, serverTools } = this.request;
    const timesOf = (callId: string) => this.clock.timesOf(callId);
    for (const row of toRows(items, { model, sessionId: parent.sessionId, serverTools, handedOver, timesOf })) {
      this.ports.toolCalls.record(parent.owner, row);
    }
  }
}

/** What a turn used. Two zeros say that no upstream counted, so nothing is told. */
function toUsage({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: costUsd,
}: ServerFrameOf<'turn_ended'>['usage']): Usage | undefined {
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  return { inputTokens, outputTokens, costUsd };
}

/** What comes next of a child. `lost`: frames are gone for good. `stopped`: the signal fired first. */
type NextFrame = ServerFrame | 'lost' | 'stopped';

/** The frames of a child from its first one on, taken when somebody is ready for them. */
class ChildFrames {
  private readonly taken: ServerFrame[] = [];

  private constructor(private readonly stream: SessionStream) {}

  static async open(streams: Pick<SessionStreams, 'open'>, child: SessionMeta): Promise<ChildFrames> {
    return new ChildFrames(await streams.open(child.ref, { epoch: child.epoch, seq: 0 }));
  }

  async next(signal: AbortSignal): Promise<NextFrame> {
    const wake = (): void => this.stream.wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      while (!signal.aborted) {
        const frame = this.taken.shift();
        if (frame !== undefined) return frame;
        const event = await this.stream.next();
        if (event.kind === 'reset' || event.kind === 'closed') return 'lost';
        const frames = event.kind === 'logged' ? event.frames.map(({ text }) => decodeServerFrame(text)) : [];
        this.taken.push(...frames.filter((one) => one !== undefined)); // the others are of a newer release
      }
      return 'stopped';
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  close(): void {
    this.stream.close();
  }
}
