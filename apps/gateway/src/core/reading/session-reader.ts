import { refuse, type Envelope } from '@codelab/protocol';
import type { LoggedFrame, Position, SessionMeta, SessionRef, SessionStream } from '@codelab/bus';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { relayKey, type Delivery } from '../delivery/delivery.js';
import { encodeRefusal, encodeServerFrame } from '../delivery/encode-server-frame.js';
import { ChildReaders } from './child-readers.js';
import type { Receiver } from '../delivery/give-calls.js';
import { Greeter } from '../opening/greeter.js';
import { Follower, type Following } from './follower.js';
import { OpenCalls } from './open-calls.js';
import { receiverOf, type ReaderOptions } from './reader-options.js';
import { Rejoining } from './rejoining.js';
import { resolveDelivery } from '../delivery/resolve-delivery.js';
import { isStoreAway } from '../is-store-away.js';
import { SEED, type Member, type SessionRoom } from '../session/session-room.js';
import { translate } from '../delivery/translate.js';
import { SessionWriter } from './session-writer.js';

/** A replay above this is not sent to a client that can take a snapshot, which is at most 1 MB. */
const MAX_REPLAY_CHARACTERS = 2 * 1024 * 1024;

const isShort = (frames: readonly LoggedFrame[]): boolean =>
  frames.reduce((sum, { text }) => sum + text.length, 0) <= MAX_REPLAY_CHARACTERS;

/** Brings one connection what its session says, in the words that its client understands: greeting, frames, calls, progress. */
export class SessionReader implements Member, Following {
  readonly connection: string;
  readonly client: string;
  readonly executes: boolean;
  readonly receiver: Receiver;
  /** The tools that it joins with are a copy shared with others. */
  readonly options: ReaderOptions;
  /** What programs run in the session. */
  readonly children: ChildReaders;
  private readonly follower: Follower;
  private readonly writer: SessionWriter;
  /** A seed client is greeted by nothing. */
  private readonly greeter: Greeter | undefined;
  private readonly openCalls: OpenCalls;
  private readonly rejoining: Rejoining;
  /** A frame that is sent whatever the capabilities: an answer. */
  private answerSeq = 0;
  /** For a seed client: where the outbox began to drop frames. */
  private droppedSeq = 0;
  private isStarted = false;
  private isStopped = false;

  private constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly room: SessionRoom,
    private readonly stream: SessionStream,
    options: ReaderOptions,
  ) {
    const { connection, hello, joining } = options;
    this.connection = connection;
    this.client = hello?.clientId ?? SEED;
    this.executes = hello === undefined || joining !== undefined;
    this.options =
      joining?.tools === undefined ? options : { ...options, joining: { ...joining, tools: ports.toolTexts.hold(joining.tools) } };
    this.receiver = receiverOf(options);
    const { store, clock, stats } = ports;
    this.writer = new SessionWriter(outbox, stats, hello === undefined);
    this.greeter = hello && new Greeter(store, room, this.writer, hello);
    this.openCalls = new OpenCalls(store, room.ref);
    this.rejoining = new Rejoining(store, room, this.options.joining);
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
    const room = await ports.hub.open(meta.ref, meta);
    let reader: SessionReader | undefined;
    try {
      const stream = await ports.streams.open(meta.ref, resume ?? meta);
      reader = new SessionReader(ports, outbox, room, stream, options);
      await reader.begin(meta, resume);
      return reader;
    } catch (error) {
      if (reader === undefined) ports.hub.close(room);
      else reader.stop();
      throw error;
    }
  }

  /** Something of the session was sent. */
  get hasSent(): boolean {
    return this.writer.hasSent;
  }

  /** The session's executor is this client, on this connection or another. */
  get isExecutor(): boolean {
    return this.room.roleOf(this) !== 'observer';
  }

  private async begin(meta: SessionMeta, resume: Position | undefined): Promise<void> {
    this.writer.begin(meta.seq);
    this.room.enter(this);
    if (this.isExecutor && meta.executor !== this.client) this.rejoining.demand();
    const replay = this.greeter && resume ? await this.stream.read() : undefined;
    if (resume !== undefined && replay?.kind === 'logged' && isShort(replay.frames)) {
      const openCalls = await this.follower.openCallsOf(replay.frames); // before the welcome: what follows it leaves with it
      this.writer.resumeAfter(resume.seq);
      this.greeter?.welcome({ epoch: resume.epoch, seq: replay.frames.at(-1)?.seq ?? resume.seq });
      this.follower.start(resume, { event: replay, openCalls });
    } else {
      const position = this.greeter === undefined ? meta : await this.resynchronise();
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
    if (this.greeter?.hasGreeted !== true || this.options.hello?.capabilities.has(head.type) !== true) return;
    this.outbox.relay(relayKey(head), text);
    this.ports.stats.framesSent.add(head.type);
  }

  onExecutor(executor: string): void {
    this.children.followParent();
    if (this.greeter?.hasGreeted !== true) return;
    this.greeter.tellExecutor(executor);
    if (!this.isCalled) return;
    this.rejoining.demand();
    this.openCalls.demand();
    this.follower.wake();
  }

  succeed(executor: string): void {
    this.rejoining.succeed(executor);
    this.follower.wake();
  }

  onNewest(): void {
    this.openCalls.demand();
    this.follower.wake();
  }

  onChild(child: SessionRef): void {
    if (this.isStarted) this.children.add(child);
  }

  /** Calls that the client asked about are over, and nothing else says so: what it has not begun of them it must not begin. */
  tellOver(callIds: readonly string[]): void {
    for (const call_id of callIds) this.writer.say('tool_cancel', encodeServerFrame({ type: 'tool_cancel', call_id, reason: 'cancelled' }));
  }

  /** Calls of the session are given to this connection. */
  get isCalled(): boolean {
    return this.room.givesCallsTo(this);
  }

  get isDue(): boolean {
    return this.rejoining.isDue || this.openCalls.areDue;
  }

  onError(error: unknown): boolean {
    if (isStoreAway(error)) return true;
    this.ports.logger.error({ event: 'reader.fault', sid: this.room.ref.sid, err: error });
    this.options.owner.end('fault');
    return false;
  }

  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> | undefined {
    const delivery = this.translate(frame, openCalls);
    if (delivery.kind === 'skip') return undefined;
    if (delivery.kind !== 'send') return this.resolve(frame, delivery);
    return void this.emit(frame, delivery.text);
  }

  private async resolve(frame: LoggedFrame, delivery: Delivery): Promise<void> {
    const text = await resolveDelivery(this.ports.store, this.room.ref, this.receiver, delivery);
    if (text === undefined || this.isStopped) return;
    if (delivery.kind === 'decided' && this.receiver.audience === 'seed') this.openCalls.note(delivery.callId);
    this.emit(frame, text);
  }

  async doDue(seq: number): Promise<number | undefined> {
    await this.rejoining.settle();
    if (this.isCalled) return this.openCalls.give(seq, this.receiver, (frame) => this.writer.say('tool_call', frame));
    this.openCalls.settle();
    return undefined;
  }

  async resynchronise(): Promise<Position> {
    const meta = await (this.greeter === undefined ? this.skipToEnd() : this.showSession(this.greeter));
    if (meta !== undefined) return { epoch: meta.epoch, seq: meta.seq };
    this.options.owner.end('removed');
    return { epoch: '', seq: 0 };
  }

  private async showSession(greeter: Greeter): Promise<SessionMeta | undefined> {
    const reading = await greeter.showSession(() => this.isCalled);
    if (reading !== undefined) this.openCalls.restart(reading);
    return reading?.meta;
  }

  /** A seed client knows no snapshot: it is told that something is missing, and goes on at the end of the log. */
  private async skipToEnd(): Promise<SessionMeta | undefined> {
    const meta = await this.ports.store.readMeta(this.room.ref);
    if (meta === undefined) return undefined;
    this.openCalls.demand();
    this.writer.say('error', encodeRefusal(refuse('SLOW_READER', 'this client was too far behind: text of the session was left out')));
    return meta;
  }

  private translate(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Delivery {
    const { hello } = this.options;
    if (hello !== undefined && frame.seq === this.answerSeq) return { kind: 'send', text: frame.text };
    return translate(frame, hello, { role: this.room.roleOf(this), openCalls, tools: this.receiver.tools });
  }

  private emit(frame: LoggedFrame, text: string): void {
    if (frame.head.type === 'tool_call') this.openCalls.note(frame.head.call_id);
    this.writer.log(frame, text);
  }
}
