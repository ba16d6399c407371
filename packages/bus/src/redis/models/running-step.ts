import type { ClaimedStep, StepAnswer, StepDelta, StepFailure, StepRequest, StepWait } from '../../model-queue.js';
import type { SessionRef } from '../../session-ref.js';
import { encodeDelta } from './delta-message.js';
import { CLAIM_MS } from '../limits.js';
import { reconnectDelay } from '../connection/reconnect-delay.js';
import type { Command } from '../connection/redis-commands.js';
import type { RedisSubscriber } from '../connection/redis-subscriber.js';
import type { SessionScripts } from '../session/session-scripts.js';

/** Text that is being written is stored at most this often. */
const FLUSH_MS = 500;
/** Thoughts come word by word and are read at leisure. */
const THOUGHT_MS = 50;
/** After this a step that is still running asks whether its end came before it listened. Most short ones never ask. */
const FIRST_CHECK_MS = 200;
/** How long an answer waits for Redis. */
const RETRY_ANSWER_MS = 15_000;

/** Which request, and which attempt at it. */
export interface Claim {
  readonly ref: SessionRef;
  readonly stepId: string;
  readonly attempt: number;
  /** Whose it is. */
  readonly consumer: string;
  readonly request: StepRequest;
  /** Items of the history that came with the claim. */
  readonly history: { readonly from: number; readonly items: readonly string[] } | undefined;
}

/**
 * An attempt at a model request, from its claim to its end. The signal fires when the turn is cancelled, when another attempt took over, or
 * when the consumer lets go of it.
 */
export class RunningStep implements ClaimedStep {
  readonly ref: SessionRef;
  readonly stepId: string;
  readonly attempt: number;
  readonly request: StepRequest;
  private readonly controller = new AbortController();
  private finished = false;
  private isOver = false;
  private stored = false;
  private text = '';
  private flushed = 0;
  private thought = '';
  private thinking: NodeJS.Timeout | undefined;
  private flushing: NodeJS.Timeout | undefined;
  private firstCheck: NodeJS.Timeout | undefined;

  constructor(
    private readonly claim: Claim,
    private readonly scripts: SessionScripts,
    private readonly subscriber: RedisSubscriber,
  ) {
    this.ref = claim.ref;
    this.stepId = claim.stepId;
    this.attempt = claim.attempt;
    this.request = claim.request;
    void this.listen();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** An answer or a failure was given, in time or not. */
  get isFinished(): boolean {
    return this.finished;
  }

  /** It was in time: nothing is left to do for anybody. */
  get isStored(): boolean {
    return this.stored;
  }

  readonly readHistory = async (from: number): Promise<readonly string[]> => {
    const { historyVersion } = this.request;
    if (from >= historyVersion) return [];
    const { history: known } = this.claim;
    const { strings } = this.scripts;
    if (known !== undefined && from >= known.from)
      return strings.restore(known.items.slice(from - known.from, historyVersion - known.from));
    const { history } = this.scripts.keys.session(this.ref.sid);
    const [items] = await this.scripts.commands.run('read-step-history', [['lrange', history, from, historyVersion - 1]]);
    return strings.restore(items as string[]);
  };

  readonly readBase = async (): Promise<string | undefined> => {
    if (this.request.hasBase !== true) return undefined;
    const { messages } = this.scripts.keys.session(this.ref.sid);
    const [base] = await this.scripts.commands.run('read-step-base', [['hget', messages, 'base']]);
    return (base as string | null) ?? undefined;
  };

  readonly publish = (delta: Omit<StepDelta, 'stepId' | 'attempt'>): void => {
    if (this.finished || this.signal.aborted) return;
    this.sendThought();
    this.text = this.text.slice(0, delta.offset) + delta.text;
    this.flushing ??= setTimeout(() => void this.flush(), FLUSH_MS);
    this.send(delta); // away: the runtime finds the text in the record, or in the answer
  };

  readonly tellWait = (wait: StepWait): void => {
    if (!this.finished && !this.signal.aborted) this.send({ offset: 0, text: '', wait });
  };

  readonly tellThought = (thought: string): void => {
    if (this.finished || this.signal.aborted || thought === '') return;
    this.thought += thought;
    this.thinking ??= setTimeout(this.sendThought, THOUGHT_MS);
  };

  private readonly sendThought = (): void => {
    clearTimeout(this.thinking);
    this.thinking = undefined;
    if (this.thought !== '') this.send({ offset: 0, text: '', thought: this.thought });
    this.thought = '';
  };

  private send(delta: Omit<StepDelta, 'stepId' | 'attempt'>): void {
    const { delta: channel } = this.scripts.keys.session(this.ref.sid);
    const messages = encodeDelta({ ...delta, stepId: this.stepId, attempt: this.attempt });
    this.scripts.commands
      .run(
        'publish-delta',
        messages.map((message) => ['spublish', channel, message]),
      )
      .catch(() => undefined);
  }

  readonly answer = async (answer: StepAnswer): Promise<boolean> => this.finish('answered', JSON.stringify(answer));

  readonly fail = async (failure: StepFailure): Promise<boolean> => this.finish('failed', JSON.stringify(failure));

  /** The command that says that this attempt goes on. Answers 0 when it is over. */
  renewal(): Command {
    const session = this.scripts.keys.session(this.ref.sid);
    return ['renewStep', session.meta, session.step(this.stepId), this.attempt, CLAIM_MS, this.claim.consumer];
  }

  /** The attempt is over, whoever said so. */
  abort(reason: string): void {
    if (!this.signal.aborted) this.controller.abort(new DOMException(reason, 'AbortError'));
    this.stopTimers();
  }

  /** Gives the request back, for the next attempt. */
  async release(): Promise<void> {
    this.abort('the consumer closes');
    const record = this.scripts.keys.session(this.ref.sid).step(this.stepId);
    await this.scripts.commands.run('release-step', [['releaseStep', record, this.attempt]]);
  }

  stopTimers(): void {
    this.isOver = true;
    clearTimeout(this.thinking);
    clearTimeout(this.flushing);
    clearTimeout(this.firstCheck);
    this.flushing = undefined;
    this.subscriber.unsubscribe(this.stopChannel, this);
  }

  private async finish(state: 'answered' | 'failed', text: string): Promise<boolean> {
    if (this.finished || this.signal.aborted) return false;
    const record = this.scripts.keys.session(this.ref.sid).step(this.stepId);
    const code = await this.store(record, [this.attempt, state, text, this.stepId, this.scripts.finishedStepMs]);
    this.finished = true;
    this.stored = code === 1;
    this.stopTimers();
    return code === 1;
  }

  /** An answer costs money: while Redis is away it is offered again, as long as somebody could take it. */
  private async store(record: string, args: readonly (string | number)[]): Promise<number> {
    const giveUpAt = performance.now() + RETRY_ANSWER_MS;
    for (;;) {
      try {
        const [code] = await this.scripts.deliver('answerStep', this.ref.sid, args, record);
        return code;
      } catch (error) {
        if (this.signal.aborted || performance.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, reconnectDelay(3)));
      }
    }
  }

  private async flush(): Promise<void> {
    this.flushing = undefined;
    if (this.finished || this.signal.aborted || this.text.length === this.flushed) return;
    const record = this.scripts.keys.session(this.ref.sid).step(this.stepId);
    const { length } = this.text;
    try {
      await this.scripts.commands.run('save-partial', [['savePartial', record, this.attempt, this.text]]);
      this.flushed = length;
    } catch {
      // Away: the next flush has all of it.
    }
  }

  /** Hears of the end of the turn or of the attempt; asks a little later, because it may have come before. */
  private async listen(): Promise<void> {
    let next = (): Promise<void> => this.check();
    try {
      await this.subscriber.subscribe(this.stopChannel, this);
    } catch {
      next = () => this.listen(); // away: renewals alone would tell of the end, a while after it
    }
    if (this.isOver) return this.subscriber.unsubscribe(this.stopChannel, this);
    this.firstCheck = setTimeout(() => void next(), FIRST_CHECK_MS);
  }

  private async check(): Promise<void> {
    try {
      const [goesOn] = await this.scripts.commands.run('renew-steps', [this.renewal()]);
      if (goesOn === 0 && !this.finished) this.abort('the turn or the attempt is over');
    } catch {
      // Away: the next renewal says whether the attempt goes on.
    }
  }

  private get stopChannel(): string {
    return this.scripts.keys.session(this.ref.sid).stop;
  }

  /** Takes what is said on the channel. */
  hear(message: string): void {
    const [what, subject, attempt] = message.split('\x1e');
    if (what === 'removed') this.abort('the session was removed');
    if (what === 'cancel' && subject === this.request.turnId) this.abort('the turn was cancelled');
    if (what === 'attempt' && subject === this.stepId && Number(attempt) > this.attempt) this.abort('another attempt took over');
  }
}
