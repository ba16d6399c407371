import type { LoggedFrame, Position, SessionRef, SessionStream } from '@codelab/bus';
import type { CallRecord, Envelope, FrameHead, ServerFrameType } from '@codelab/protocol';
import type { GatewayPorts } from '../gateway-ports.js';
import { isStoreAway } from '../refusals.js';
import type { Outbox } from '../outbox/outbox.js';
import { letsRun, relayKey, type Delivery } from '../delivery/delivery.js';
import { DoubtfulGives } from '../delivery/doubtful-gives.js';
import { isServers, redeliverCalls, resolveDelivery, type Receiver } from '../delivery/give-calls.js';
import { Follower, type Following } from './follower.js';
import { isOpen, presentCall } from '../delivery/present-call.js';
import type { OrderOfExecutor } from './order-of-executor.js';
import { callableBy, joiningOf, type ReaderOptions } from './reader-options.js';
import type { Member, SessionRoom } from '../session/session-room.js';
import { translate } from '../delivery/translate.js';
import { encodeServerFrame, withoutSeq } from '../delivery/encode-server-frame.js';

/** What of a child concerns those who run and decide its calls. Its text goes to the program that asked for it. */
const PASSED: ReadonlySet<ServerFrameType> = new Set([
  ...(['tool_call', 'approval_updated', 'approval_resolved', 'tool_cancel', 'tool_status'] as const),
]);

/** Between two moves of a child to the executor of its parent, in milliseconds. */
const MOVE_PAUSE_MS = 500;

/** Of a replay: nothing is known of calls that are over. */
const NOTHING: ReadonlySet<string> = new Set();

/** What an executor may take for its leave to run a call. */
const runsByIt = (head: FrameHead): boolean => head.type === 'tool_call' || (head.type === 'approval_resolved' && letsRun(head));

/** The connection of a parent that a child's calls go to. */
export interface ChildAudience {
  readonly options: ReaderOptions;
  /** `client_id`, or the name of all clients without identity. */
  readonly client: string;
  readonly executes: boolean;
  readonly receiver: Receiver;
  /** Calls of the parent are given to this connection. */
  readonly isCalled: boolean;
  /** When the client hears who executes for the parent. */
  readonly order: Pick<OrderOfExecutor, 'whenTold' | 'giving'>;
}

/**
 * Brings a connection the calls of one child of its session, and what becomes of them, without `seq` (G3 counts in the parent's log). What was
 * missed is made up for by giving the open calls again, so nothing but a position is held for a slow reader (G4). It ends with the child's turn.
 */
export class ChildReader implements Member, Following {
  readonly maxReplayCharacters = Infinity;
  private readonly follower: Follower;
  private readonly callIds = new Set<string>();
  private readonly doubts = new DoubtfulGives();
  /** While calls are due to be given again: those that went out since. */
  private sent: Set<string> | undefined = new Set();
  private callsDue = 1;
  private isJoiningDue = false;
  /** The log began anew: calls that were shown may be gone. */
  private isReset = false;
  private moveFromMs = -Infinity;
  private moving: NodeJS.Timeout | undefined;
  private isOver = false;

  private constructor(
    private readonly ports: GatewayPorts,
    private readonly outbox: Outbox,
    private readonly room: SessionRoom,
    private readonly stream: SessionStream,
    private readonly audience: ChildAudience,
    private readonly onEnd: () => void,
  ) {
    this.follower = new Follower(ports, outbox, stream, this);
  }

  /** Rejects with `BusError`; nothing is left behind then. `undefined`: its turn is over. */
  static async open(
    ports: GatewayPorts,
    outbox: Outbox,
    ref: SessionRef,
    audience: ChildAudience,
    onEnd: () => void,
  ): Promise<ChildReader | undefined> {
    const found = await ports.hub.find(ref, ports.store.readMeta(ref));
    if (found === undefined || found.meta.turnId === '') return undefined;
    const { meta } = found;
    const room = await ports.hub.open(found);
    try {
      const stream = await ports.streams.open(ref, meta);
      const reader = new ChildReader(ports, outbox, room, stream, audience, onEnd);
      room.enter(reader);
      const knowsTools = meta.executor === reader.client && meta.executorTools !== '';
      reader.isJoiningDue = reader.isExecutor && !knowsTools;
      reader.follower.start(meta);
      reader.followParent();
      return reader;
    } catch (error) {
      ports.hub.close(room);
      throw error;
    }
  }

  /** The child. */
  get ref(): SessionRef {
    return this.room.ref;
  }

  get connection(): string {
    return this.audience.options.connection;
  }

  get client(): string {
    return this.audience.client;
  }

  get executes(): boolean {
    return this.audience.executes;
  }

  /** The child's executor is this client. */
  get isExecutor(): boolean {
    return this.room.roleOf(this) !== 'observer';
  }

  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.moving);
    this.follower.stop();
    this.room.leave(this);
    this.ports.hub.close(this.room);
  }

  /** Whether a call of this id is, or was, the child's. */
  has(callId: string): boolean {
    return this.callIds.has(callId);
  }

  /** A frame of the child's log that answers this client: it comes in its place. */
  expect(answer: LoggedFrame): void {
    this.stream.offer(answer);
  }

  /** The client began anew with a snapshot of the parent, which names none of the child's calls: it has forgotten them. */
  showAgain(): void {
    this.sent = new Set();
    this.giveAgain();
  }

  /** Calls of the parent come to another connection now: what it runs for itself it runs for programs, too. */
  followParent(): void {
    if (this.isOver || !this.audience.isCalled) return;
    this.giveAgain(); // what came while the parent had another
  }

  succeed(): void {
    // whoever follows in the parent follows here: see followParent
  }

  onRelayed({ head, text }: Envelope): void {
    if (head.type !== 'tool_output' || this.audience.options.hello?.capabilities.has(head.type) !== true) return;
    this.outbox.relay(relayKey(head), text);
    this.ports.stats.framesSent.add(head.type);
  }

  onExecutor(): void {
    if (this.isElsewhere) this.moveLater();
    if (!this.room.givesCallsTo(this)) return this.follower.wake();
    this.isJoiningDue = true;
    this.giveAgain();
  }

  onNewest(): void {
    this.giveAgain();
  }

  onChild(): void {
    // a child has none
  }

  get isDue(): boolean {
    const mayMove = this.isElsewhere && this.ports.steady.now() >= this.moveFromMs;
    return this.isJoiningDue || mayMove || this.callsDue > 0 || (this.doubts.areThere && !this.isExecutor);
  }

  onError(error: unknown): boolean {
    if (isStoreAway(error)) return true;
    this.ports.logger.error({ event: 'reader.fault', sid: this.ref.sid, err: error });
    this.audience.options.owner.end('fault');
    return false;
  }

  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> | undefined {
    if (frame.head.type === 'turn_ended') return void this.end();
    const wait = this.audience.order.whenTold() ?? this.outbox.whenRoom();
    if (wait !== undefined) return this.deliverLater(wait, frame, openCalls);
    const delivery = this.translate(frame, openCalls);
    if (delivery.kind === 'skip') return undefined;
    if (delivery.kind !== 'send') return this.audience.order.giving(() => this.resolve(frame, delivery));
    return void this.emit(frame.head, delivery.text);
  }

  /** As things are then: another may execute. */
  private async deliverLater(wait: Promise<void>, frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> {
    await wait;
    if (!this.isOver) await this.deliver(frame, openCalls);
  }

  private async resolve(frame: LoggedFrame, delivery: Delivery): Promise<void> {
    const text = await resolveDelivery(this.ports.store, this.ref, this.receiver, delivery);
    if (text === undefined || this.isOver) return;
    if (delivery.kind === 'decided' && this.audience.options.hello === undefined) this.sent?.add(delivery.callId);
    this.emit(frame.head, text);
  }

  async doDue(seq: number): Promise<number | undefined> {
    if (this.isElsewhere) await this.move();
    const joining = joiningOf(this.audience.options);
    if (this.isJoiningDue && joining !== undefined) await this.ports.store.join(this.ref, joining, { create: false });
    this.isJoiningDue = false;
    if (!this.isExecutor) await this.doubts.handBack(this.ports.store, this.ref, this.receiver);
    const due = this.callsDue;
    const reading = await this.ports.store.read(this.ref, { historyItems: 0 });
    if (reading === undefined) return void this.end();
    if (reading.meta.seq > seq) return reading.meta.seq;
    const records = reading.calls.map((record) => ({ ...record, seq: 0 }));
    await this.audience.order.giving(() => this.giveCalls(records));
    this.callsDue -= due;
    this.sent = undefined;
    if (reading.meta.turnId === '') this.end();
    return undefined;
  }

  async resynchronise(): Promise<Position> {
    const meta = await this.ports.store.readMeta(this.ref);
    if (meta === undefined) {
      this.end();
      return { epoch: '', seq: 0 };
    }
    this.isReset = true;
    this.giveAgain();
    return { epoch: meta.epoch, seq: meta.seq };
  }

  /** Gives what is open again: to the executor to run, to anybody else to decide. */
  private async giveCalls(records: readonly CallRecord[]): Promise<void> {
    if (this.isOver) return;
    if (this.isReset) await this.takeBack(records);
    for (const { callId } of records) this.callIds.add(callId);
    const sent = this.sent ?? NOTHING;
    const { receiver } = this;
    const open = records.filter((record) => isOpen(record) && !sent.has(record.callId));
    const texts = this.isCalled
      ? await redeliverCalls(this.ports.store, this.ref, receiver, { records: open, sent })
      : receiver.audience === 'seed' || this.isExecutor || this.audience.isCalled
        ? []
        : open.filter((record) => record.state !== 'ready' || !isServers(record)).map((record) => presentCall(record, 'hello', true));
    for (const text of texts) await this.say('tool_call', text);
    if (receiver.audience === 'seed') return;
    for (const { state, preview } of open) if (state === 'waiting_approval' && preview !== '') await this.say('approval_updated', preview);
  }

  /** No snapshot says that a call of a child is gone. What is over for the client it passes over. */
  private async takeBack(records: readonly CallRecord[]): Promise<void> {
    this.isReset = false;
    const gone = [...this.callIds].filter((id) => !records.some(({ callId }) => callId === id));
    for (const call_id of gone) {
      this.callIds.delete(call_id);
      if (this.audience.receiver.audience === 'seed') continue;
      await this.say('tool_cancel', encodeServerFrame({ type: 'tool_cancel', call_id, reason: 'superseded' }));
    }
  }

  private get receiver(): Receiver {
    return { ...this.audience.receiver, doubts: this.doubts };
  }

  private giveAgain(): void {
    this.callsDue += 1;
    this.follower.wake();
  }

  private translate(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Delivery {
    const { head } = frame;
    if (head.type === 'tool_call') {
      this.callIds.add(head.call_id);
      if (openCalls?.has(head.call_id) === false) return { kind: 'skip' };
      if (head.runs_at === 'server' && head.state === 'ready') return { kind: 'skip' }; // the program's own business
    }
    if (!PASSED.has(head.type)) return { kind: 'skip' };
    const { options, isCalled: knowsToExecute } = this.audience;
    const role = this.room.roleOf(this);
    // A client that executes for the parent runs what it is told of a child: nothing, before the child is its own, and then it is given it.
    if (role === 'observer' && knowsToExecute && runsByIt(head)) return { kind: 'skip' };
    // Of a client that has heard of another executor in the parent nothing is expected; who follows it there is given the call again.
    const isPast = role === 'executor' && !knowsToExecute;
    return translate(frame, options.hello, { role: isPast ? 'observer' : role, tools: callableBy(options), openCalls });
  }

  /** The child is to have the executor of its parent. */
  private get isElsewhere(): boolean {
    return this.audience.isCalled && this.room.executor !== this.client;
  }

  /** Not at once again: another gateway may not have heard yet who executes for the parent, and move it back. */
  private async move(): Promise<void> {
    if (this.ports.steady.now() < this.moveFromMs) return this.moveLater();
    this.moveFromMs = this.ports.steady.now() + MOVE_PAUSE_MS;
    await this.room.believe(this.ports.store.moveExecutor(this.ref, this.client), ({ executor }) => executor);
  }

  private moveLater(): void {
    clearTimeout(this.moving);
    this.moving = setTimeout(() => this.follower.wake(), MOVE_PAUSE_MS);
    this.moving.unref();
  }

  /** Calls of the child are given to this connection, which knows that it executes. */
  private get isCalled(): boolean {
    return this.room.givesCallsTo(this) && this.audience.isCalled;
  }

  private end(): void {
    if (this.isOver) return;
    this.stop();
    this.onEnd();
  }

  private emit(head: FrameHead, text: string): void {
    if (head.type === 'tool_call') this.sent?.add(head.call_id);
    this.ports.stats.framesSent.add(head.type);
    this.outbox.answer(withoutSeq(text));
  }

  private async say(type: string, text: string): Promise<void> {
    await this.outbox.whenRoom();
    if (this.isOver) return;
    this.ports.stats.framesSent.add(type);
    this.outbox.answer(text);
  }
}
