import { LlmError } from '@codelab/llm';
import type { Dispatcher } from 'undici';
import { AnswerBody } from './answer-body.js';
import { Deadlines, type Timeouts } from './deadlines.js';
import { type SettingNames, toLlmError } from './to-llm-error.js';
import { type Unpacker, unpacker } from './unpack.js';
import type { AnswerSink, Leaving, RelayedAnswer } from '../upstream.js';

/** The head of an answer, and its body as it comes: taken by `pour` or read from `body`, not both. */
export interface UpstreamAnswer extends RelayedAnswer {
  readonly body: AnswerBody;
  /** A part of the answer that means something came: from now on the upstream may only be idle for so long. */
  begun(): void;
}

export interface UpstreamRequestOptions {
  readonly timeouts: Timeouts;
  readonly signal: Leaving;
  readonly settings: SettingNames;
  /** The answer comes in one piece: the time until it begins is the time that it takes. */
  readonly inOnePiece: boolean;
  /** The answer is relayed: nobody decodes it, so what means something is seen in its bytes. */
  readonly watchBytes: boolean;
}

/** An event with data that is no sign of life, or the beginning of JSON. */
const MEANS_SOMETHING = /^(?:data:(?!\s*\{\s*"type":\s*"ping")|\s*[{[])/m;

/** The beginning of a piece, in which that is looked for. */
const LOOKED_AT_BYTES = 4_096;

/**
 * One request on its way, from its dispatch to the last byte of the answer. It has a deadline at any moment, and whoever gives up ends it:
 * the caller's signal, a reader that leaves the body, or time. Then the connection is closed at once, or, where there is none yet, nothing
 * is sent (L2).
 */
export class UpstreamRequest implements Dispatcher.DispatchHandler, UpstreamAnswer {
  readonly answer: Promise<UpstreamAnswer>;
  status = 0;
  headers: RelayedAnswer['headers'] = {};
  private readonly options: UpstreamRequestOptions;
  private readonly deadlines: Deadlines;
  private resolve!: (answer: UpstreamAnswer) => void;
  private reject!: (error: LlmError) => void;
  private controller: Dispatcher.DispatchController | undefined;
  private sink: AnswerSink | undefined;
  /** What came before there was a sink: no more than one read of the socket. */
  private early: Buffer[] = [];
  private bodyNow: AnswerBody | undefined;
  /** Stands between the connection and the sink: the sink holds it back, and it the connection. */
  private unpacker: Unpacker | undefined;
  /** Why nothing more is wanted. */
  private over: LlmError | 'ended' | undefined;

  constructor(options: UpstreamRequestOptions) {
    this.options = options;
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const { timeouts, signal, inOnePiece } = options;
    this.deadlines = new Deadlines({ timeouts, signal, inOnePiece, onOver: (error) => this.fail(error) });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.over instanceof LlmError) controller.abort(this.over); // given up while it waited for its connection
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RelayedAnswer['headers']): void {
    if (status < 200 || this.over !== undefined) return;
    this.status = status;
    this.headers = headers;
    this.unpacker = unpacker(headers['content-encoding'], {
      data: (bytes) => this.pushUnpacked(bytes),
      drain: () => this.drained(),
      end: () => this.end(),
      fail: (error) => this.fail(error),
    });
    this.resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.over !== undefined) return;
    this.deadlines.bytes();
    if (!this.unpacker) this.push(bytes);
    else if (!this.unpacker.write(bytes)) this.controller?.pause();
  }

  onResponseEnd(): void {
    if (this.unpacker) this.unpacker.end();
    else this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Ends the request: an answer that has not begun is never given, one that has breaks off. Only the first end counts. */
  fail(error: unknown): void {
    if (this.over !== undefined) return;
    const failure = toLlmError(error, this.status !== 0, this.options.settings);
    this.over = failure;
    this.deadlines.end();
    this.unpacker?.close();
    if (this.status === 0) this.reject(failure);
    else this.sink?.end(failure);
    if (this.controller?.aborted === false) this.controller.abort(failure);
  }

  begun(): void {
    this.deadlines.token();
  }

  pour(sink: AnswerSink): void {
    this.sink = sink;
    for (const bytes of this.early.splice(0)) this.give(bytes, sink);
    if (this.over !== undefined) sink.end(this.over === 'ended' ? undefined : this.over);
  }

  get body(): AnswerBody {
    return (this.bodyNow ??= new AnswerBody(this));
  }

  goOn(): void {
    const source = this.unpacker ?? this.controller;
    if (source?.paused !== true || this.over !== undefined) return;
    this.deadlines.goOn();
    source.resume();
  }

  drop(): void {
    if (this.over === undefined) this.fail(new LlmError('cancelled', 'Nobody reads the answer any more.')); // an error costs its stack
  }

  /** While the connection waits for the unpacker, what comes out of it is the sign of life. */
  private pushUnpacked(bytes: Buffer): void {
    this.deadlines.bytes();
    this.push(bytes);
  }

  private drained(): void {
    if (this.over === undefined && this.controller?.paused === true) this.controller.resume();
  }

  private push(bytes: Buffer): void {
    if (this.over !== undefined) return;
    if (this.options.watchBytes && !this.deadlines.begun && meansSomething(bytes)) this.deadlines.token();
    if (this.sink) this.give(bytes, this.sink);
    else this.early.push(bytes);
  }

  private give(bytes: Buffer, sink: AnswerSink): void {
    if (sink.data(bytes) || this.over !== undefined) return;
    (this.unpacker ?? this.controller)?.pause();
    this.deadlines.pause();
  }

  private end(): void {
    if (this.over !== undefined) return;
    this.over = 'ended';
    this.deadlines.end();
    if (this.controller?.paused === true) this.controller.resume(); // padding behind a packed answer is passed over
    this.sink?.end();
  }
}

const meansSomething = (bytes: Buffer): boolean => MEANS_SOMETHING.test(bytes.toString('latin1', 0, LOOKED_AT_BYTES));
