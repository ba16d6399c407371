import { systemClock, type Clock } from '@codelab/clock';
import { JsonText, type ClientFrameOf, type ServerFrame } from '@codelab/protocol';
import { ConnectionClosedError, RefusedError } from '../client-errors.js';
import { DEFAULT_BACKOFF } from '../connection/backoff.js';
import { buildHello } from '../connection/build-hello.js';
import { HeardMode } from '../connection/heard-mode.js';
import { Connection, type ConnectionPhase } from '../connection/connection.js';
import type { ConnectionState } from '../connection/connection-state.js';
import type { Resumption } from '../connection/log-position.js';
import { PendingRequests } from '../requests/pending-requests.js';
import { randomId } from '../requests/random-id.js';
import { SessionRequests } from '../requests/session-requests.js';
import { EMPTY_VIEW, reduceSession, ToldSettings, type CallItem, type SessionEvent, type SessionView } from '../view/index.js';
import { browserSocket, PROBE_ID } from './browser-socket.js';
import { MessageFinder } from './message-finder.js';
import type { Decision, NewMessage, ObserverOptions } from './observer-options.js';
import type { SessionChoice } from './session-records.js';
import type { Untimed } from './untimed.js';

/** Items of a page of the conversation that are asked for at a time. */
const OLDER_ITEMS = 100;

const NOT_SENT = (code: 'UNKNOWN_CALL' | 'DIGEST_MISMATCH' | 'INVALID_FIELD', message: string): RefusedError =>
  new RefusedError(code, message, false, true);

/**
 * Watches one session, speaks in it and decides in it; executes nothing, and runs in a page as well as in Node. It connects, stays
 * connected and resumes. Requests survive reconnects: they are sent again until they are answered (G2), so a promise waits as long as the
 * gateway is away. It rejects with `RefusedError` when the answer is an `error` frame, with `ConnectionClosedError` when the connection is
 * over for good. It has the methods of the port that components of `@codelab/ui` want.
 */
export class SessionObserver {
  readonly clientId: string;
  private readonly connection: Connection;
  private readonly requests: PendingRequests;
  private readonly asks: SessionRequests;
  private readonly messages: MessageFinder | undefined;
  private readonly clock: Clock;
  private readonly listeners = new Set<() => void>();
  private readonly settings = new ToldSettings();
  private readonly mode: HeardMode;
  private session: string;
  private joined = false;
  private shown: SessionView = EMPTY_VIEW;
  private current: ConnectionState = { kind: 'connecting', attempt: 1 };
  private older: Promise<void> | undefined;
  private waiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  constructor(private readonly options: ObserverOptions) {
    const backoff = options.backoff ?? DEFAULT_BACKOFF;
    const clock = (this.clock = options.clock ?? systemClock);
    const { token = '' } = options;
    this.clientId = options.clientId ?? randomId();
    this.session = options.sessionId ?? 'new';
    this.mode = new HeardMode(options.mode);
    this.connection = new Connection({
      openSocket: options.openSocket ?? browserSocket(),
      ...{ clock, backoff },
      url: () =>
        `${(typeof options.url === 'string' ? options.url : options.url()).replace(/\/+$/, '')}/${encodeURIComponent(this.session)}`,
      token: () => (typeof token === 'string' ? token : token()),
      hello: (position) => this.hello(position),
      executes: () => false,
      onFrame: (frame) => this.take(frame),
      onState: (phase) => this.enter(phase),
    });
    this.requests = new PendingRequests({ send: (text) => this.isLive && this.connection.send(text), clock, backoff });
    this.asks = new SessionRequests(this.requests, undefined, () => this.isLive);
    this.messages = options.records && new MessageFinder(options.records, (event) => this.tell(event));
  }

  /** The session; `new` until the first `welcome` names it. */
  get sessionId(): string {
    return this.session;
  }

  /** Where the connection stands; `onState` hears each change, and so does who subscribed. */
  get state(): ConnectionState {
    return this.current;
  }

  /** What is known of the session: the same value until something changes. */
  readonly view = (): SessionView => this.shown;

  /** @returns a function that ends it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Resolves when the session is live for the first time; until then it tries, as long as trying makes sense. */
  connect(): Promise<void> {
    if (this.current.kind === 'closed') return Promise.reject(new ConnectionClosedError(this.current.reason));
    if (this.isLive) return Promise.resolve();
    const live = new Promise<void>((resolve, reject) => this.waiters.push({ resolve, reject }));
    this.connection.start();
    return live;
  }

  /** The page is looked at again, or the network is back: tries at once instead of waiting. */
  wake(): void {
    if (this.current.kind === 'reconnecting') this.connection.renew('it is wanted now');
  }

  /** Says something; resolves when the servers have it. It is in the view from the beginning, and there it is refused, too. */
  async send({ content, ...options }: NewMessage): Promise<void> {
    const { messageId = randomId(), attachments, whenBusy } = options;
    this.tell({ kind: 'message_sent', messageId, content, attachments, whenBusy });
    try {
      await this.asks.sendMessage(content, { ...options, messageId });
    } catch (error) {
      if (error instanceof RefusedError && error.unsent) this.takeFrame(toErrorFrame(error, messageId));
      throw error;
    }
  }

  /** Stops the turn that runs. `queue` drops what waits, too. Resolves when it has ended. */
  async cancel(options: { readonly queue?: boolean } = {}): Promise<void> {
    const { turn } = this.shown;
    this.tell({ kind: 'cancel_sent' });
    await this.asks.cancel(turn?.turnId, options.queue);
  }

  /** Takes a message that waits out of the queue. */
  removeQueued(messageId: string): Promise<void> {
    return this.asks.removeQueued(messageId);
  }

  /** Decides a call, bound to the arguments that the view shows of it (H2). Resolves when the servers have logged it. */
  async decide(callId: string, decision: Decision): Promise<void> {
    const call = this.shown.items.find((item): item is CallItem => item.kind === 'call' && item.callId === callId);
    if (call === undefined || call.argsSha256 === '') throw NOT_SENT('UNKNOWN_CALL', `${callId} is no open call of this session.`);
    if ((decision.argsSha256 ?? call.argsSha256) !== call.argsSha256)
      throw NOT_SENT('DIGEST_MISMATCH', 'The call has other arguments by now: look at it again. Nothing was decided.');
    await this.requests.ask({ kind: 'decision', id: callId }, toFrame(call, decision));
  }

  /** Takes another agent for the turns to come. */
  switchAgent(agent: string): Promise<void> {
    return this.asks.switchAgent(agent);
  }

  /** Takes another agent, mode or model for what is to come. The latter two need `records`. */
  async choose({ agent, ...choice }: SessionChoice & { readonly agent?: string }): Promise<void> {
    if (agent !== undefined && agent !== this.shown.agent) await this.switchAgent(agent);
    const { model, mode } = choice;
    if (model === undefined && mode === undefined) return;
    if (this.options.records === undefined) throw NOT_SENT('INVALID_FIELD', 'This observer has no records to change.');
    const current = this.settings.begin();
    await this.options.records.change(this.session, choice);
    this.tell({ kind: 'chose', model, mode: current({ mode }).mode });
  }

  /** Puts an older part of the conversation before what is shown; nothing if there is none. */
  loadOlder(): Promise<void> {
    this.older ??= this.readOlder().finally(() => (this.older = undefined));
    return this.older;
  }

  /** Ends for good; what was asked and not answered rejects. */
  close(): void {
    this.connection.close({ kind: 'closed', message: 'The observer was closed.' });
  }

  private get isLive(): boolean {
    return this.current.kind === 'live';
  }

  private async readOlder(): Promise<void> {
    const { historyCursor: cursor } = this.shown;
    if (cursor === undefined || this.options.records === undefined) return;
    const { items, cursor: next } = await this.options.records.history(this.session, { cursor, limit: OLDER_ITEMS });
    if (this.shown.historyCursor === cursor) this.tell({ kind: 'history_read', history: items, cursor: next });
  }

  private hello(position: Resumption | undefined): string {
    const { client = { name: 'codelab-console', version: '' }, ...options } = this.options;
    const agent = this.joined ? undefined : options.agent;
    const { clientId, mode } = this;
    return buildHello({ ...options, client }, { clientId, executes: false, position, calls: [], mode: mode.last, agent, agents: [] });
  }

  private take(frame: ServerFrame): void {
    if (frame.type === 'error' && frame.reply_to === PROBE_ID) return;
    this.mode.hear(frame);
    if (frame.type === 'welcome') {
      this.session = frame.session_id;
      this.joined = true;
    }
    this.takeFrame(frame);
    this.options.onFrame?.(frame);
    this.requests.settle(frame);
    if (frame.type === 'turn_started' || frame.type === 'turn_steered')
      void this.messages?.find(this.session, frame.message_ids, this.shown);
    if (frame.type === 'welcome' && this.isLive) this.asks.resend();
    if (frame.type === 'executor_changed' && this.isLive) this.enter({ kind: 'live' });
  }

  private takeFrame(frame: ServerFrame): void {
    this.settings.hear(frame);
    this.tell({ kind: 'frame', frame });
  }

  private enter(phase: ConnectionPhase): void {
    const wasLive = this.isLive;
    this.current = phase.kind === 'live' ? { kind: 'live', executor: this.shown.executor, standby: false } : phase;
    const { current } = this;
    this.tell({ kind: 'link', link: linkOf(current, this.shown.link) });
    this.options.onState?.(current);
    if (current.kind === 'closed') {
      const error = new ConnectionClosedError(current.reason);
      this.requests.failAll(error);
      for (const { reject } of this.waiters.splice(0)) reject(error);
    }
    if (current.kind !== 'live' || wasLive) return;
    this.asks.resend();
    void this.recall();
    for (const { resolve } of this.waiters.splice(0)) resolve();
  }

  /** Which agent, model and mode the conversation has. Frames tell it only when it changes. */
  private async recall(): Promise<void> {
    const current = this.settings.begin();
    const session = await this.options.records?.show(this.session).catch(() => undefined); // a token may not be allowed to ask
    if (session === undefined) return;
    const { agent, model, mode } = session;
    this.tell({ kind: 'chose', model: model || undefined, ...current({ agent, mode }) });
  }

  private tell(event: Untimed<SessionEvent>): void {
    const before = this.shown;
    this.shown = reduceSession(before, { ...event, atMs: this.clock.now() });
    if (this.shown === before) return;
    this.options.onView?.(this.shown);
    for (const listener of [...this.listeners]) listener();
  }
}

const linkOf = (state: ConnectionState, before: SessionView['link']): SessionView['link'] => {
  if (state.kind === 'live' || state.kind === 'replaying') return 'open';
  if (state.kind === 'closed') return 'closed';
  return before === 'connecting' ? 'connecting' : 'lost';
};

const toFrame = ({ callId, argsSha256, approval }: CallItem, answer: Decision): ClientFrameOf<'hitl_decision'> => ({
  type: 'hitl_decision',
  call_id: callId,
  decision: answer.decision,
  modified_args: answer.decision === 'edit' ? JsonText.of(answer.modifiedArgs) : undefined,
  feedback: answer.feedback,
  no_human: answer.decision === 'reject' && answer.noHuman === true ? true : undefined,
  args_sha256: argsSha256,
  question: approval?.question ?? 1,
  remember: answer.remember && { scope: answer.remember.scope, rule: answer.remember.rule },
});

/** What the gateway would have answered to a message that had not to be sent for it. */
const toErrorFrame = ({ code, message, retryable }: RefusedError, messageId: string): ServerFrame => ({
  type: 'error',
  ...{ code, message, retryable, reply_to: messageId },
});
