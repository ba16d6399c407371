import { randomId } from './requests/random-id.js';
import { access, constants, mkdir } from 'node:fs/promises';
import type { ApprovalOutcome, ClientFrame, ServerFrame, ServerFrameOf } from '@codelab/protocol';
import { encodeFrame } from '@codelab/protocol';
import { isAgent, isAtLeast, isLimited } from '@codelab/tools';
import type { ApprovalAnswer } from './approvals/approval-request.js';
import { DEFAULT_BACKOFF } from './connection/backoff.js';
import { buildHello } from './connection/build-hello.js';
import { HeardMode } from './connection/heard-mode.js';
import type { Resumption } from './connection/log-position.js';
import { ConnectionClosedError } from './client-errors.js';
import type { ClientOptions } from './client-options.js';
import { Connection, type ConnectionPhase } from './connection/connection.js';
import type { ClosedReason, ConnectionState } from './connection/connection-state.js';
import { CallDispatcher } from './calls/dispatch-call.js';
import { JournalKeeper } from './journal/journal-keeper.js';
import { createLocalPolicy } from './local-policy/local-policy.js';
import { SessionRequests, type CancelOutcome, type MessageOptions } from './requests/session-requests.js';
import { FactsTeller } from './requests/facts-teller.js';
import { PendingRequests } from './requests/pending-requests.js';
import { systemClock, type Clock } from '@codelab/clock';
import { ToolsTeller } from './connection/tools-teller.js';
import { openWebSocket } from './connection/web-socket.js';

/** How a question ended. */
export interface Resolution {
  readonly outcome: ApprovalOutcome;
  /** A subject, `executor` or `policy`; '' where only the outcome came through. */
  readonly by: string;
}

/** Time that `close` gives running tools and their answers. */
const CLOSE_GRACE_MS = 3_000;

const CLOSED_HERE: ClosedReason = { kind: 'closed', message: 'The client was closed.' };

/**
 * One client of one session: connects, stays connected, resumes, executes calls, asks its human. Its requests survive reconnects: they
 * are sent again until they are answered (G2), so a promise waits as long as the gateway is away. It rejects with `RefusedError` when the
 * answer is an `error` frame, with `ConnectionClosedError` when the connection is over for good.
 */
export class CodeLabClient {
  private readonly connection: Connection;
  private readonly requests: PendingRequests;
  private readonly asks: SessionRequests;
  private readonly facts: FactsTeller;
  private readonly tools: ToolsTeller;
  private readonly dispatcher: CallDispatcher;
  private readonly keeper: JournalKeeper;
  private readonly clock: Clock;
  private session: string;
  /** The agent that was chosen last, if one was. */
  private agent: string | undefined;
  private readonly mode: HeardMode;
  /** What both sides speak, once they do. */
  private version: string | undefined;
  private current: ConnectionState = { kind: 'connecting', attempt: 1 };
  private phase: ConnectionPhase['kind'] = 'connecting';
  private role: ServerFrameOf<'welcome'>['executor'] = 'none';
  private waiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  private closing: Promise<void> | undefined;
  /** The token that was presented last: nothing that leaves this client shows it. */
  private presented: string | undefined;

  constructor(private readonly options: ClientOptions) {
    const backoff = options.backoff ?? DEFAULT_BACKOFF;
    const clock = (this.clock = options.clock ?? systemClock);
    this.session = options.sessionId ?? 'new';
    this.agent = options.agent;
    this.mode = new HeardMode(options.mode);
    this.connection = new Connection({
      openSocket: options.openSocket ?? openWebSocket,
      clock,
      backoff,
      url: () =>
        `${(typeof options.url === 'string' ? options.url : options.url()).replace(/\/+$/, '')}/${encodeURIComponent(this.session)}`,
      token: async () => (this.presented = typeof options.token === 'string' ? options.token : await options.token()),
      hello: (position) => this.hello(position),
      executes: () => this.executes,
      onFrame: (frame, text) => this.keeper.afterOpening(() => this.take(frame, text)),
      onState: (phase) => this.keeper.afterOpening(() => this.enter(phase)),
    });
    this.requests = new PendingRequests({ send: (text) => this.phase === 'live' && this.connection.send(text), clock, backoff });
    this.asks = new SessionRequests(this.requests, options.readAttachments, () => this.phase === 'live');
    this.facts = new FactsTeller({
      ...{ read: options.executor?.readFacts, clock, send: (text) => this.phase === 'live' && this.connection.send(text) },
      onProblem: (message) => this.problem('facts.failed', message),
    });
    this.tools = new ToolsTeller({
      ...{ executor: options.executor, clock },
      isLive: () => this.phase === 'live',
      send: (text) => void this.connection.send(text),
      reconnect: () => this.connection.renew('the tools of this client have changed'),
    });
    this.keeper = new JournalKeeper({
      ...{ journalDir: options.journalDir, clientId: options.clientId, clock },
      onTakeover: () => this.connection.renew('this process executes now'),
      onProblem: (error) => this.problem('journal.failed', error.message),
    });
    this.dispatcher = new CallDispatcher({
      ...{ executor: options.executor, approve: options.approve, requests: this.requests, clock },
      localPolicy: options.localPolicy ?? createLocalPolicy(),
      place: () => ({ sessionId: this.session, workspaceId: options.workspace?.id }),
      additions: () => this.version !== undefined && isAtLeast(this.version, '2.1'),
      journal: () => this.keeper.journal,
      send: (frame) => this.send(frame),
      buffered: () => this.connection.buffered,
      allowedSecrets: () => this.allowedSecrets(),
      knownSecrets: () => (this.presented === undefined ? [] : [this.presented]),
      onRefused: (callId, error) => options.onRefused?.(callId, error),
      onProblem: (event, message) => this.problem(event, message),
    });
  }

  /** The session; `new` until the first `welcome` names it. */
  get sessionId(): string {
    return this.session;
  }

  /** Where the connection stands; `onState` hears each change. */
  get state(): ConnectionState {
    return this.current;
  }

  /**
   * Resolves when the session is live for the first time; until then it tries, as long as trying makes sense. Rejects with
   * `ConnectionClosedError` if the gateway says that it doesn't, and with the file system's error if there can be no journal.
   */
  async connect(): Promise<void> {
    if (this.options.executor !== undefined) {
      await mkdir(this.options.journalDir, { recursive: true, mode: 0o700 });
      await access(this.options.journalDir, constants.R_OK | constants.W_OK | constants.X_OK);
      if (this.session !== 'new') await this.keeper.open(this.session);
    }
    const live = new Promise<void>((resolve, reject) => this.waiters.push({ resolve, reject }));
    if (this.current.kind === 'closed') throw new ConnectionClosedError(this.current.reason);
    this.facts.prepare();
    if (this.agent !== undefined && !isAgent(this.agent)) await this.facts.readAgents(); // it names one that the facts describe
    this.connection.start();
    await live;
  }

  /** Tells the servers what is new in the workspace, before anybody says something there. Resolves when that is done, or has taken too long. */
  tellNews(): Promise<void> {
    return this.facts.tellNews();
  }

  /** Says something; resolves when the servers have it. */
  async sendMessage(content: string, options: MessageOptions = {}): Promise<ServerFrameOf<'message_accepted'>> {
    await this.facts.tellNews();
    this.tools.tell();
    const messageId = options.messageId ?? randomId();
    return this.asks.sendMessage(content, { traceparent: this.options.traces?.message(messageId), ...options, messageId });
  }

  /** Decides a call without the `approve` callback; bound to the arguments that this client last saw of it (H2). */
  async decide(callId: string, answer: ApprovalAnswer): Promise<Resolution> {
    const frame = await this.dispatcher.decide(callId, answer);
    if (frame.type === 'approval_resolved') return { outcome: frame.outcome, by: frame.by };
    const approval = frame.type === 'tool_call' ? frame.approval : undefined;
    return { outcome: approval?.outcome ?? 'approved', by: approval?.by ?? '' };
  }

  /** Stops a turn: the one named, else the one that runs. `queue` drops what waits, too. Resolves when it has ended. */
  cancel(turnId?: string, options: { readonly queue?: boolean } = {}): Promise<CancelOutcome> {
    return this.asks.cancel(turnId ?? this.dispatcher.currentTurn, options.queue);
  }

  /** Takes a message that waits out of the queue. */
  removeQueued(messageId: string): Promise<void> {
    return this.asks.removeQueued(messageId);
  }

  /** Takes another agent for the turns to come. */
  switchAgent(agent: string): Promise<void> {
    return this.asks.switchAgent(agent);
  }

  /** Stops running tools, gives their true results a moment to leave, closes for good. Never rejects. */
  close(): Promise<void> {
    this.closing ??= this.shutDown(CLOSED_HERE);
    return this.closing;
  }

  private async shutDown(reason: ClosedReason): Promise<void> {
    this.tools.stop();
    await this.within(CLOSE_GRACE_MS, this.dispatcher.stop());
    await this.within(CLOSE_GRACE_MS, this.options.executor?.idle?.() ?? Promise.resolve());
    if (this.phase === 'live') await this.within(CLOSE_GRACE_MS, this.requests.idle('result'));
    this.keeper.dropHeld();
    this.connection.close(reason);
    await this.keeper.close().catch((error: unknown) => this.problem('journal.failed', (error as Error).message));
    await this.options.traces?.close();
  }

  /** Waits for a promise, but not longer than so long. */
  private within(ms: number, promise: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.clock.after(ms, resolve);
      void promise.finally(() => {
        callOff();
        resolve();
      });
    });
  }

  private get executes(): boolean {
    return this.options.executor !== undefined && !this.keeper.isStandby;
  }

  private hello(position: Resumption | undefined): string {
    const calls = this.keeper.journal?.report() ?? [];
    const { executes } = this;
    this.tools.greeted(executes);
    const agent = this.version === undefined ? this.agent : this.agentAgain();
    const agents = agent === undefined || isAgent(agent) ? [] : this.facts.agents;
    const { clientId } = this.keeper;
    return buildHello(this.options, { clientId, executes, position, calls, mode: this.mode.last, agent, agents });
  }

  /** Whom a connection that comes again names: one with limits that is still there. Another client may have narrowed the session meanwhile. */
  private agentAgain(): string | undefined {
    const { agent, facts } = this;
    return agent !== undefined && isLimited(agent) && (isAgent(agent) || facts.agents.includes(agent)) ? agent : undefined;
  }

  private send(frame: ClientFrame): void {
    this.connection.send(encodeFrame(frame));
  }

  private take(frame: ServerFrame, text: string): void {
    this.mode.hear(frame);
    if (frame.type === 'agent_switched' && frame.from === undefined && this.agent !== undefined) this.agent = frame.agent;
    if (frame.type === 'welcome') {
      this.session = frame.session_id;
      this.role = frame.executor;
      this.version = frame.protocol_version;
      this.facts.follow(frame);
      this.tools.welcomed(frame);
      if (this.options.executor !== undefined && this.keeper.needsOpening) this.openJournal();
    }
    this.keeper.afterOpening(() => this.deliver(frame, text));
  }

  /** Of a session that has only now got its name; frames wait meanwhile. */
  private openJournal(): void {
    const giveUp = (message: string): void => this.connection.close({ kind: 'journal', message });
    this.keeper.open(this.session).then(
      () => this.keeper.isStandby && giveUp(`Another process works on the fresh session ${this.session}.`),
      (error: unknown) => giveUp(`The journal in ${this.options.journalDir} can't be opened: ${(error as Error).message}`),
    );
  }

  private deliver(frame: ServerFrame, text: string): void {
    if (frame.type === 'executor_changed') this.facts.followExecutor((this.role = frame.executor));
    this.guard('onFrame', () => this.options.onFrame?.(frame, text));
    this.requests.settle(frame);
    this.dispatcher.onFrame(frame);
    if (frame.type === 'welcome' && this.phase === 'live') this.asks.resend();
    if (frame.type === 'executor_changed' && this.phase === 'live') this.enter({ kind: 'live' });
  }

  private enter(phase: ConnectionPhase): void {
    const wasLive = this.phase === 'live';
    this.phase = phase.kind;
    this.current = phase.kind === 'live' ? { kind: 'live', executor: this.role, standby: this.keeper.isStandby } : phase;
    const { current } = this;
    if (current.kind === 'closed') {
      const error = new ConnectionClosedError(current.reason);
      this.requests.failAll(error);
      for (const { reject } of this.waiters.splice(0)) reject(error);
      this.closing ??= this.shutDown(current.reason);
    }
    this.guard('onState', () => this.options.onState?.(current));
    if (phase.kind !== 'live') return this.dispatcher.setLive(false);
    this.facts.tellKnown();
    this.tools.follow(this.role);
    if (!wasLive) this.asks.resend();
    this.dispatcher.setLive(true);
    for (const { resolve } of this.waiters.splice(0)) resolve();
  }

  private async allowedSecrets(): Promise<ReadonlySet<string>> {
    try {
      return (await this.options.allowedSecrets?.()) ?? new Set();
    } catch (error) {
      this.problem('secrets.failed', (error as Error).message);
      return new Set();
    }
  }

  private problem(event: string, message: string): void {
    this.guard('onProblem', () => this.options.onProblem?.({ event, message }));
  }

  /** A callback that throws must not break the session. */
  private guard(name: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      if (name !== 'onProblem') this.problem('callback.failed', `${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
