import { refuse, spliceFields, type Envelope, type Snapshot } from '@codelab/protocol';
import type { LoggedFrame, Position, SessionMeta, SessionReading, SessionRef, SessionStream } from '@codelab/bus';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { relayKey, type Delivery } from '../delivery/delivery.js';
import { encodeRefusal, encodeServerFrame } from '../delivery/encode-server-frame.js';
import { SEED_TOOLS } from '../opening/callable-tools.js';
import { ChildReaders } from './child-readers.js';
import { redeliverCalls, type Receiver } from '../delivery/give-calls.js';
import { encodeWelcome, nameExecutor, takeSnapshot } from '../opening/greeting.js';
import { Follower, type Following } from './follower.js';
import type { ReaderOptions } from './reader-options.js';
import { resolveDelivery } from '../delivery/resolve-delivery.js';
import { isStoreAway } from '../is-store-away.js';
import { SEED, type Member, type SessionRoom } from '../session/session-room.js';
import { translateForHello } from '../delivery/translate-for-hello.js';
import { translateForSeed } from '../delivery/translate-for-seed.js';

/** A replay above this is not sent to a client that can take a snapshot, which is at most 1 MB. */
const MAX_REPLAY_CHARACTERS = 2 * 1024 * 1024;

const NOTHING: ReadonlySet<string> = new Set();

const isShort = (frames: readonly LoggedFrame[]): boolean =>
  frames.reduce((sum, { text }) => sum + text.length, 0) <= MAX_REPLAY_CHARACTERS;

/** Brings one connection what its session says, in the words that its client understands: greeting, frames, calls, progress. */
export class SessionReader implements Member, Following {
  readonly connection: string;
  readonly client: string;
  readonly executes: boolean;
  /** What programs run in the session. */
  readonly children: ChildReaders;
  private readonly follower: Follower;
  /** The last frame that the client knows of. */
  private shownSeq = 0;
  /** The same when it began. */
  private firstSeq = 0;
  /** A frame that is sent whatever the capabilities: an answer. */
  private answerSeq = 0;
  /** While calls are due to be given again: those that went out since the snapshot or the replay began. */
  private carried: Set<string> | undefined = new Set();
  private openCalls: SessionReading | undefined = undefined;
  /** The executor's tools are to be named again. */
  private isJoiningDue = false;
  /** The executor that is gone, where this client is to follow it. */
  private succeeded = '';
  /** How often it became due to give the open calls again. */
  private callsDue = 1;
  /** For a seed client: where the outbox began to drop frames. */
  private droppedSeq = 0;
  private isGreeted = false;
  private isStarted = false;
  private isStopped = false;
  private hasSaid = false;

  private constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly room: SessionRoom,
    private readonly stream: SessionStream,
    readonly options: ReaderOptions,
  ) {
    const { connection, hello } = options;
    this.connection = connection;
    this.client = hello?.clientId ?? SEED;
    this.executes = hello === undefined || options.joining !== undefined;
    const { store, clock, stats } = ports;
    const maxReplayCharacters = hello === undefined ? Infinity : MAX_REPLAY_CHARACTERS;
    this.follower = new Follower({ ...{ store, clock, stats, outbox, stream, maxReplayCharacters }, ref: room.ref }, this);
    this.children = new ChildReaders(ports, outbox, this);
  }

  /**
   * Begins. Resolves when a client that said `hello` has its answer; rejects with `BusError`, and nothing is left behind then.
   * @param meta the session as it was when the client joined
   */
  static async open(
    ports: GatewayPorts,
    outbox: Outbox,
    { meta, resume }: { readonly meta: SessionMeta; readonly resume: Position | undefined },
    options: ReaderOptions,
  ): Promise<SessionReader> {
    const releaseTools = (): void => {
      if (options.joining?.tools !== undefined) ports.toolTexts.release(options.joining.tools);
    };
    let room: SessionRoom;
    try {
      room = await ports.hub.open(meta.ref, meta);
    } catch (error) {
      releaseTools();
      throw error;
    }
    let stream: SessionStream;
    try {
      stream = await ports.streams.open(meta.ref, resume ?? meta);
    } catch (error) {
      ports.hub.close(room);
      releaseTools();
      throw error;
    }
    const reader = new SessionReader(ports, outbox, room, stream, options);
    try {
      await reader.begin(meta, resume);
      return reader;
    } catch (error) {
      reader.stop();
      throw error;
    }
  }

  /** Something of the session was sent. */
  get hasSent(): boolean {
    return this.hasSaid;
  }

  /** The session's executor is this client, on this connection or another. */
  get isExecutor(): boolean {
    return this.executes && this.room.executor === this.client;
  }

  private async begin(meta: SessionMeta, resume: Position | undefined): Promise<void> {
    this.shownSeq = meta.seq;
    this.firstSeq = meta.seq;
    this.room.enter(this);
    this.isJoiningDue = this.isExecutor && meta.executor !== this.client;
    const { hello } = this.options;
    const replay = hello && resume ? await this.stream.read() : undefined;
    if (resume !== undefined && replay?.kind === 'logged' && isShort(replay.frames)) {
      this.shownSeq = resume.seq;
      this.welcome({ epoch: resume.epoch, seq: replay.frames.at(-1)?.seq ?? resume.seq });
      this.follower.start(resume, replay);
    } else {
      const position = hello === undefined ? meta : await this.resynchronise();
      this.stream.seek(position);
      this.follower.start(position);
    }
    this.isStarted = true;
    for (const child of this.room.children) this.children.add(child);
  }

  /** Ends, and lets go of all that it holds. */
  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    if (this.options.joining?.tools !== undefined) this.ports.toolTexts.release(this.options.joining.tools);
    this.follower.stop();
    this.children.stop();
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

  /** The outbox dropped the frames of the log from `seq` on; `shownSeq` is the last that has left, if any has. */
  lag(seq: number, shownSeq = this.firstSeq): void {
    this.droppedSeq = seq;
    this.shownSeq = shownSeq;
    this.follower.lag();
  }

  /** The outbox is empty again: a client that said `hello` begins with a snapshot, a seed client goes on where frames were dropped. */
  catchUp(): void {
    this.ports.stats.resyncs += 1;
    this.follower.catchUp(this.options.hello === undefined ? { seq: this.droppedSeq - 1 } : 'lost');
  }

  onRelayed({ head, text }: Envelope): void {
    if (!this.isGreeted || this.options.hello?.capabilities.has(head.type) !== true) return;
    this.outbox.relay(relayKey(head), text);
    this.ports.stats.framesSent.add(head.type);
  }

  onExecutor(executor: string): void {
    this.children.followParent();
    if (!this.isGreeted) return;
    this.say('executor_changed', encodeServerFrame({ type: 'executor_changed', executor: nameExecutor(executor, this.client) }));
    if (!this.room.givesCallsTo(this)) return;
    this.isJoiningDue = true;
    this.callsDue += 1;
    this.follower.wake();
  }

  succeed(executor: string): void {
    this.succeeded = executor;
    this.isJoiningDue = true;
    this.follower.wake();
  }

  onNewest(): void {
    this.callsDue += 1;
    this.follower.wake();
  }

  onChild(child: SessionRef): void {
    if (this.isStarted) this.children.add(child);
  }

  /** Calls that the client asked about are over, and nothing else says so: what it has not begun of them it must not begin. */
  tellOver(callIds: readonly string[]): void {
    for (const call_id of callIds) this.say('tool_cancel', encodeServerFrame({ type: 'tool_cancel', call_id, reason: 'cancelled' }));
  }

  /** Calls of the session are given to this connection. */
  get isCalled(): boolean {
    return this.room.givesCallsTo(this);
  }

  get receiver(): Receiver {
    const { connection, tools } = this;
    return this.options.hello === undefined
      ? { audience: 'seed', name: `seed:${connection}`, tools }
      : { audience: 'hello', name: this.client, clientId: this.client, tools };
  }

  private get tools(): ReadonlySet<string> {
    return this.options.tools ?? (this.options.hello === undefined ? SEED_TOOLS : NOTHING);
  }

  get isDue(): boolean {
    return this.isJoiningDue || this.callsDue > 0;
  }

  onError(error: unknown): boolean {
    if (isStoreAway(error)) return true;
    this.ports.logger.error({ event: 'reader.fault', sid: this.room.ref.sid, err: error });
    this.options.owner.end('fault');
    return false;
  }

  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> | undefined {
    const delivery = this.translate(frame, openCalls);
    if (delivery.kind === 'send') this.emit(frame, delivery.text);
    return delivery.kind === 'send' || delivery.kind === 'skip' ? undefined : this.resolve(frame, delivery);
  }

  private async resolve(frame: LoggedFrame, delivery: Delivery): Promise<void> {
    const text = await resolveDelivery(this.ports.store, this.room.ref, this.receiver, delivery);
    if (text === undefined || this.isStopped) return;
    if (delivery.kind === 'decided' && this.receiver.audience === 'seed') this.carried?.add(delivery.callId);
    this.emit(frame, text);
  }

  async doDue(seq: number): Promise<number | undefined> {
    const { joining } = this.options;
    if (this.isJoiningDue && joining !== undefined) {
      const { succeeded } = this;
      const meta = await this.ports.store.join(this.room.ref, { ...joining, ...(succeeded && { succeeds: succeeded }) }, { create: false });
      if (succeeded !== '' && meta !== undefined) this.room.setExecutor(meta.executor);
    }
    this.succeeded = '';
    this.isJoiningDue = false;
    return this.room.givesCallsTo(this) ? this.giveOpenCalls(seq) : this.callsAreGiven(this.callsDue);
  }

  /** Gives the calls that are open at one point of the log, once the client has all frames up to there: none is given twice. */
  private async giveOpenCalls(seq: number): Promise<number | undefined> {
    const { store } = this.ports;
    const { ref } = this.room;
    const due = this.callsDue;
    this.openCalls ??= await store.read(ref, { historyItems: 0 });
    const { meta, calls: records } = this.openCalls ?? { meta: undefined, calls: [] };
    if (meta !== undefined && meta.seq > seq) return meta.seq;
    const frames = await redeliverCalls(store, ref, this.receiver, { records, carried: this.carried ?? NOTHING });
    this.callsAreGiven(due);
    for (const frame of frames) this.say('tool_call', frame);
    return undefined;
  }

  private callsAreGiven(due: number): undefined {
    this.callsDue -= due;
    this.carried = undefined;
    this.openCalls = undefined;
  }

  async resynchronise(): Promise<Position> {
    return this.options.hello === undefined ? this.skipToEnd() : this.sendSnapshot();
  }

  private async sendSnapshot(): Promise<Position> {
    const taken = await takeSnapshot(this.ports.store, this.room.ref);
    if (taken === undefined) return this.endRemoved();
    this.shownSeq = taken.position.seq;
    this.carried = new Set();
    this.openCalls = taken.reading;
    this.callsDue += 1;
    this.welcome(taken.position, taken.snapshot);
    if (!this.room.givesCallsTo(this)) for (const frame of taken.calls) this.say('tool_call', frame); // an executor gets all open ones
    for (const frame of taken.previews) this.say('approval_updated', frame);
    return taken.position;
  }

  /** A seed client knows no snapshot: it is told that something is missing, and goes on at the end of the log. */
  private async skipToEnd(): Promise<Position> {
    const meta = await this.ports.store.readMeta(this.room.ref);
    if (meta === undefined) return this.endRemoved();
    this.callsDue += 1;
    this.say('error', encodeRefusal(refuse('SLOW_READER', 'this client was too far behind: text of the session was left out')));
    return { epoch: meta.epoch, seq: meta.seq };
  }

  private endRemoved(): Position {
    this.options.owner.end('removed');
    return { epoch: '', seq: 0 };
  }

  private welcome(position: Position, snapshot?: Snapshot): void {
    const { sessionId } = this.room.ref;
    const executor = nameExecutor(this.room.executor, this.client);
    const { protocolVersion } = this.options.hello!;
    this.isGreeted = true;
    this.say('welcome', encodeWelcome({ sessionId, protocolVersion, position, executor, ...(snapshot ? { snapshot } : {}) }));
  }

  private translate(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Delivery {
    const { hello } = this.options;
    if (hello !== undefined && frame.seq === this.answerSeq) return { kind: 'send', text: frame.text };
    const role = this.room.givesCallsTo(this) ? 'executor' : this.isExecutor ? 'standby' : 'observer';
    const capabilities = hello?.capabilities ?? NOTHING;
    return (hello === undefined ? translateForSeed : translateForHello)(frame, { role, capabilities, openCalls, tools: this.tools });
  }

  private emit({ head, seq, text: logged }: LoggedFrame, text: string): void {
    this.hasSaid = true;
    const { type } = head;
    if (type === 'tool_call') this.carried?.add(head.call_id);
    this.ports.stats.framesSent.add(type);
    // What a seed client is told in place of a frame (an error, a decided call) is none of the log: it has no number, and is no gap.
    if (this.options.hello === undefined && text !== logged) return void this.outbox.log({ type, seq, text, isStandIn: true });
    const isGap = this.shownSeq !== seq - 1;
    const outgoing = isGap ? spliceFields(text, { prev_seq: this.shownSeq }) : text;
    this.shownSeq = seq;
    this.outbox.log({ type, seq, text: outgoing });
  }

  private say(type: string, text: string): void {
    this.hasSaid = true;
    this.ports.stats.framesSent.add(type);
    this.outbox.answer(text);
  }
}
