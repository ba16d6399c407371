import { refuse, type Envelope, type ForeignTool } from '@codelab/protocol';
import type { LoggedFrame, Position, SessionMeta, SessionRef, SessionStream } from '@codelab/bus';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { relayKey, type Delivery } from '../delivery/delivery.js';
import { encodeRefusal, encodeServerFrame, withoutSeq } from '../delivery/encode-server-frame.js';
import { ChildReaders } from './child-readers.js';
import { DoubtfulGives } from '../delivery/doubtful-gives.js';
import { resolveDelivery, type Receiver } from '../delivery/give-calls.js';
import { callableTools } from '../opening/callable-tools.js';
import { sayWelcome, showSession, tellExecutor, type Greeted } from '../opening/greeter.js';
import { charactersOf, Follower, type Following } from './follower.js';
import { OpenCalls } from './open-calls.js';
import { OrderOfExecutor } from './order-of-executor.js';
import { callableBy, joiningOf, receiverOf, type ReaderOptions } from './reader-options.js';
import { rejoin } from './rejoin.js';
import { isStoreAway } from '../refusals.js';
import type { FoundSession } from '../session/session-hub.js';
import { SEED, type Member, type SessionRoom } from '../session/session-room.js';
import { translate } from '../delivery/translate.js';
import { SessionWriter } from './session-writer.js';

/** A replay above this is not sent to a client that can take a snapshot, which is at most 1 MB. */
const MAX_REPLAY_CHARACTERS = 2 * 1024 * 1024;

/** Names of tools that one connection said it has, those that it has no more too. */
const MAX_CALLABLE = 1_024;

/** Brings one connection what its session says, in the words that its client understands: greeting, frames, calls, progress. */
export class SessionReader implements Member, Following {
  /** The tools are a copy shared with others. */
  options: ReaderOptions;
  /** What programs run in the session; absent until something does. */
  children: ChildReaders | undefined = undefined;
  private readonly follower: Follower;
  private readonly writer: SessionWriter;
  /** Absent while no calls are due to be given. */
  private openCalls: OpenCalls | undefined = undefined;
  /** The client is to name its tools again, as the executor; `succeeds`: in the place of this one, which is gone, if the store agrees. */
  private rejoining: { readonly succeeds: string | undefined } | undefined = undefined;
  /** A frame that is sent whatever the capabilities: an answer. */
  private answerSeq = 0;
  /** For a seed client: where the outbox began to drop frames. */
  private droppedSeq = 0;
  readonly order = new OrderOfExecutor(this);
  private readonly doubts = new DoubtfulGives();
  private isStarted = false;
  private isStopped = false;

  private constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly room: SessionRoom,
    private readonly stream: SessionStream,
    options: ReaderOptions,
  ) {
    const { connection, hello, tools, workspace, owner } = options; // a spread would take more memory
    this.options = { connection, hello, tools: tools && ports.sharedTools.hold(tools), workspace, owner };
    this.writer = new SessionWriter(outbox, ports.stats, options.hello === undefined);
    this.follower = new Follower(ports, outbox, stream, this);
  }

  /** Begins, with the session as it was when the client joined. Resolves when a client that said `hello` has its answer; rejects with `BusError`. */
  static async open(
    ports: GatewayPorts,
    outbox: Outbox,
    found: FoundSession,
    resume: Position | undefined,
    options: ReaderOptions,
  ): Promise<SessionReader> {
    const { ref, meta } = found;
    const room = await ports.hub.open(found);
    let reader: SessionReader | undefined;
    try {
      const stream = await ports.streams.open(ref, resume ?? meta);
      reader = new SessionReader(ports, outbox, room, stream, options);
      await reader.begin(meta, resume);
      return reader;
    } catch (error) {
      if (reader === undefined) ports.hub.close(room);
      else reader.stop();
      throw error;
    }
  }

  get maxReplayCharacters(): number {
    return this.options.hello === undefined ? Infinity : MAX_REPLAY_CHARACTERS;
  }

  get ref(): SessionRef {
    return this.room.ref;
  }

  get connection(): string {
    return this.options.connection;
  }

  get client(): string {
    return this.options.hello?.clientId ?? SEED;
  }

  get executes(): boolean {
    return this.options.hello === undefined || this.options.tools !== undefined;
  }

  get receiver(): Receiver {
    return receiverOf(this.options, this.doubts);
  }

  get hasSent(): boolean {
    return this.writer.hasSent;
  }

  /** The session's executor is this client, on this connection or another. */
  get isExecutor(): boolean {
    return this.room.roleOf(this) !== 'observer';
  }

  private async begin(meta: SessionMeta, resume: Position | undefined): Promise<void> {
    this.writer.begin(meta.seq);
    this.dueCalls.restart();
    this.room.enter(this);
    if (this.isExecutor && meta.executor !== this.client) this.rejoining ??= { succeeds: undefined };
    const { greeted } = this;
    const replay = greeted && resume ? await this.stream.read() : undefined;
    if (greeted && resume && replay?.kind === 'logged' && charactersOf(replay.frames) <= MAX_REPLAY_CHARACTERS) {
      const openCalls = await this.follower.openCallsOf(replay.frames); // before the welcome: what follows it leaves with it
      this.writer.resumeAfter(resume.seq);
      sayWelcome(greeted, { epoch: resume.epoch, seq: replay.frames.at(-1)?.seq ?? resume.seq });
      this.follower.start(resume, { event: replay, openCalls });
    } else {
      const position = greeted === undefined ? { epoch: meta.epoch, seq: meta.seq } : await this.resynchronise();
      this.stream.seek(position);
      this.follower.start(position);
    }
    this.isStarted = true;
    for (const child of this.room.children) this.onChild(child);
  }

  /** Tools that the client is about to have: it can be sent calls of them from now on. */
  expectTools(tools: readonly (string | ForeignTool)[]): void {
    const { hello } = this.options;
    if (hello === undefined || !this.isExecutor) return;
    const callable = callableTools(tools, hello.protocolVersion);
    const all = new Set([...callableBy(this.options), ...callable]);
    this.options = { ...this.options, alsoCallable: all.size > MAX_CALLABLE ? callable : all };
  }

  /** The tools that the client has now. Whoever executes for children of the session names them there, too. */
  changeTools(tools: readonly (string | ForeignTool)[]): void {
    const { hello } = this.options;
    if (hello === undefined) return;
    const { protocolVersion } = hello;
    const { sharedTools, store } = this.ports;
    if (this.options.tools !== undefined) sharedTools.release(this.options.tools);
    const declared = { text: JSON.stringify(tools), protocolVersion, callable: callableTools(tools, protocolVersion) };
    this.options = { ...this.options, tools: sharedTools.hold(declared) };
    const joining = joiningOf(this.options);
    if (joining === undefined) return;
    for (const child of this.room.children) store.join(child, joining, { create: false }).catch(() => undefined); // away: the next connection does
  }

  /** Ends, and lets go of all that it holds. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    if (this.options.tools !== undefined) this.ports.sharedTools.release(this.options.tools);
    this.follower.stop();
    this.children?.stop();
    this.room.leave(this);
    this.ports.hub.close(this.room);
  }

  /** No frame of the log leaves until `release`, so that the answer of a request can be told from frames that pass meanwhile. */
  hold(): void {
    this.follower.hold();
  }

  /** @param answer the frame of the log that answers this client: it gets it whatever its capabilities */
  release(answer: LoggedFrame | undefined): void {
    if (answer !== undefined) this.answerSeq = answer.seq;
    this.follower.release();
    this.expect(answer);
  }

  /** A frame of the log that answers this client: it comes in its place, now or by reading the log. */
  expect(answer: LoggedFrame | undefined): void {
    if (answer !== undefined) this.stream.offer(answer);
  }

  /** The same of a child: in its place there, or by itself where nothing of the child is shown any more. */
  expectOfChild(child: SessionRef, answer: LoggedFrame): void {
    const shown = this.children?.of(child);
    if (shown === undefined) this.outbox.answer(withoutSeq(answer.text));
    else shown.expect(answer);
  }

  /** The outbox dropped the frames of the log from `seq` on; `shownSeq` is the last that has left, if any has. */
  lag(seq: number, shownSeq: number | undefined): void {
    this.droppedSeq = seq;
    this.writer.resumeAfter(shownSeq);
    this.follower.lag();
  }

  /** The outbox is empty again: a client that said `hello` begins with a snapshot, a seed client goes on where frames were dropped. */
  catchUp(): void {
    this.ports.stats.resyncs += 1;
    this.follower.catchUp(this.options.hello === undefined ? { seq: this.droppedSeq - 1 } : 'lost');
  }

  onRelayed({ head, text }: Envelope): void {
    if (!this.hasSent || this.options.hello?.capabilities.has(head.type) !== true) return;
    this.outbox.relay(relayKey(head), text);
    this.ports.stats.framesSent.add(head.type);
  }

  onExecutor(executor: string): void {
    this.order.change(executor);
  }

  tellExecutor(executor: string): void {
    if (this.isStopped) return;
    this.children?.followParent();
    const { greeted } = this;
    if (greeted === undefined) return;
    if (this.isCalled) this.rejoining = { succeeds: undefined };
    if (!this.hasSent) return; // it stands in the welcome
    tellExecutor(greeted, executor);
    this.writer.sayKept(this.isCalled);
    if (this.isCalled) this.dueCalls.demandAll();
    this.follower.wake();
  }

  succeed(executor: string): void {
    this.rejoining = { succeeds: executor };
    this.follower.wake();
  }

  onNewest(): void {
    this.children?.followParent();
    this.dueCalls.demand();
    this.follower.wake();
  }

  onChild(child: SessionRef): void {
    if (this.isStarted && !this.isStopped) (this.children ??= new ChildReaders(this.ports, this.outbox, this)).add(child);
  }

  /** Calls that the client asked about are over, and nothing else says so: what it has not begun of them it must not begin. */
  tellOver(callIds: readonly string[]): void {
    for (const call_id of callIds) this.writer.say('tool_cancel', encodeServerFrame({ type: 'tool_cancel', call_id, reason: 'cancelled' }));
  }

  get isCalled(): boolean {
    return this.room.givesCallsTo(this);
  }

  get isDue(): boolean {
    return this.rejoining !== undefined || this.openCalls !== undefined || (this.doubts.areThere && !this.isExecutor);
  }

  onError(error: unknown): boolean {
    if (isStoreAway(error)) return true;
    this.ports.logger.error({ event: 'reader.fault', sid: this.ref.sid, err: error });
    this.options.owner.end('fault');
    return false;
  }

  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> | undefined {
    const told = this.order.whenTold();
    if (told !== undefined) return told.then(() => (this.isStopped ? undefined : this.deliver(frame, openCalls)));
    this.ports.traces?.note(frame.head);
    const delivery = this.translate(frame, openCalls);
    if (delivery.kind === 'skip') return undefined;
    if (delivery.kind !== 'send') return this.order.giving(() => this.resolve(frame, delivery));
    return void this.emit(frame, delivery.text);
  }

  private async resolve(frame: LoggedFrame, delivery: Delivery): Promise<void> {
    const text = await resolveDelivery(this.ports.store, this.ref, this.receiver, delivery);
    if (this.isStopped) return;
    if (text === undefined) return delivery.kind === 'decided' && this.options.hello ? this.writer.keep(frame) : undefined;
    if (delivery.kind === 'decided' && this.options.hello === undefined) this.openCalls?.note(delivery.callId);
    this.emit(frame, text);
  }

  async doDue(seq: number): Promise<number | undefined> {
    await this.rejoin();
    if (!this.isExecutor) await this.doubts.handBack(this.ports.store, this.ref, this.receiver);
    const { openCalls } = this;
    if (openCalls === undefined) return undefined;
    const write = (frame: string): void => this.writer.say('tool_call', frame);
    const wanted = await this.order.giving(async () => (this.isCalled ? openCalls.give(seq, this.receiver, write) : openCalls.settle()));
    if (!openCalls.areDue) this.openCalls = undefined;
    return wanted;
  }

  /** Rejects with `BusError`; it stays due then. */
  private async rejoin(): Promise<void> {
    const { rejoining } = this;
    if (rejoining === undefined) return;
    await rejoin(this.ports, this.room, this.options, rejoining.succeeds);
    if (this.rejoining === rejoining) this.rejoining = undefined;
  }

  private get dueCalls(): OpenCalls {
    return (this.openCalls ??= new OpenCalls(this.ports.store, this.ref));
  }

  /** Absent for a seed client, which is greeted by nothing. */
  private get greeted(): Greeted | undefined {
    const { room, writer, options } = this;
    return options.hello && { room, writer, hello: options.hello };
  }

  async resynchronise(): Promise<Position> {
    const { greeted } = this;
    const reading = greeted && (await showSession(this.ports.store, greeted, () => this.isCalled));
    if (reading !== undefined) this.dueCalls.restart(reading);
    this.answerSeq = 0;
    this.children?.showAgain();
    const meta = greeted === undefined ? await this.skipToEnd() : reading?.meta;
    if (meta === undefined) {
      // Only who deleted it knows: a store that lost the end of its file may have nothing left by which it could tell.
      this.options.owner.end(this.stream.wasRemoved ? 'removed' : 'lost');
      return { epoch: '', seq: 0 };
    }
    return { epoch: meta.epoch, seq: meta.seq };
  }

  /** A seed client knows no snapshot: it is told that something is missing, and goes on at the end of the log. */
  private async skipToEnd(): Promise<SessionMeta | undefined> {
    const meta = await this.ports.store.readMeta(this.ref);
    if (meta === undefined) return undefined;
    this.dueCalls.demand();
    this.writer.say('error', encodeRefusal(refuse('SLOW_READER', 'this client was too far behind: text of the session was left out')));
    return meta;
  }

  private translate(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Delivery {
    const { hello } = this.options;
    if (hello !== undefined && frame.seq === this.answerSeq) return { kind: 'send', text: frame.text };
    return translate(frame, hello, { role: this.room.roleOf(this), openCalls, tools: callableBy(this.options) });
  }

  private emit(frame: LoggedFrame, text: string): void {
    if (frame.head.type === 'tool_call') this.openCalls?.note(frame.head.call_id);
    this.writer.log(frame, text);
  }
}
