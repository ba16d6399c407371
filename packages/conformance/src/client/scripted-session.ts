import { randomUUID } from 'node:crypto';
import { argsDigest } from '@codelab/tools';
import { pickProtocolVersion } from '@codelab/protocol';
import { demand, Skip } from '../check.js';
import { PATIENCE } from '../patience.js';
import { about, show, type Fits, type Frame } from '../wire/frame.js';
import { OfferedCall, type CallWish } from './offered-call.js';
import type { Peer } from './peer.js';
import type { ScriptedServer } from './scripted-server.js';

/** How a `hello` is answered. */
export interface JoinOptions {
  readonly executor?: 'you' | 'other' | 'none';
  /** Sends a snapshot, whatever the client resumes from. */
  readonly snapshot?: boolean;
  /** How long the client may take to come: it may have to start first. */
  readonly withinMs?: number;
  /** How often each open call comes again. */
  readonly times?: number;
}

type Outcome = 'approved' | 'edited' | 'rejected' | 'expired' | 'cancelled';

/** A session with its log, as a script plays it to one client. What the script does not withhold is answered as a gateway would. */
export class ScriptedSession {
  epoch = `epoch-${randomUUID()}`;
  /** Whether `user_message` is answered. */
  acceptsMessages = true;
  readonly faults: string[] = [];
  private readonly log: { readonly seq: number; readonly text: string }[] = [];
  private readonly open = new Map<string, OfferedCall>();
  private readonly accepted = new Map<string, string>();
  private current: Peer | undefined;
  private readonly peers: Peer[] = [];

  constructor(private readonly server: ScriptedServer) {}

  /** The connection that counts. */
  get peer(): Peer {
    if (this.current === undefined) throw new Error('nobody has joined');
    return this.current;
  }

  /** The number of the last frame of the log. */
  get seq(): number {
    return this.log.length;
  }

  /** Waits for the client's next connection and its `hello`, and answers it with `welcome`, the replay and the open calls. */
  async join(options: JoinOptions = {}): Promise<Frame> {
    const hello = await this.greet(options.withinMs);
    this.welcome(hello, options);
    return hello;
  }

  /** Waits for the client's next connection and its `hello`, which stays without an answer. */
  async greet(withinMs: number = PATIENCE.replyMs): Promise<Frame> {
    const peer = await this.server.next(withinMs);
    this.current = peer;
    this.peers.push(peer);
    peer.onFrame((frame) => this.answer(peer, frame));
    return peer.next('hello', about('hello'), 4_000);
  }

  welcome(hello: Frame, { executor = 'you', snapshot = false, times = 1 }: JoinOptions = {}): void {
    const resume = hello['resume'] as { readonly epoch: string; readonly seq: number } | undefined;
    const recovered = !snapshot && resume?.epoch === this.epoch && resume.seq <= this.seq;
    const protocol_version = pickProtocolVersion(hello['protocol_versions'] as string[]) ?? '2.0';
    const facts = { type: 'welcome', session_id: this.peer.session === 'new' ? 'kit-1' : this.peer.session, protocol_version };
    const place = { epoch: this.epoch, seq: this.seq, recovered, executor, limits: {} };
    this.peer.send({ ...facts, ...place, ...(recovered ? {} : { snapshot: this.snapshot() }) });
    if (recovered) for (const { seq, text } of this.log) if (seq > resume.seq) this.peer.send(text);
    if (executor === 'you') for (let i = 0; i < times; i += 1) this.redeliver();
  }

  /** Sends every open call again, as it stands. */
  redeliver(): void {
    for (const call of this.open.values()) this.peer.send(call.frame({ seq: call.seq, redelivered: true }));
  }

  /** What `welcome.snapshot` says now. */
  snapshot(): object {
    const open_calls = [...this.open.values()].map((call) => JSON.parse(call.frame({ seq: call.seq })) as object);
    return { seq: this.seq, history: [], turn: { turn_id: 'turn_1', status: 'running' }, open_calls, todos: [], queue: [] };
  }

  /** Writes a frame into the log and sends it. `instead` is sent in its place. */
  write(frame: object | string, instead?: string | null): string {
    const seq = this.seq + 1;
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    const logged = `${text.slice(0, -1)},"seq":${String(seq)}}`;
    this.log.push({ seq, text: logged });
    if (instead !== null) this.peer.send(instead ?? logged);
    return logged;
  }

  /** A new log, as after lost writes. */
  startAnew(): void {
    this.epoch = `epoch-${randomUUID()}`;
    this.log.length = 0;
  }

  /** Opens a call. */
  offer(tool: string, wish: CallWish): OfferedCall {
    const call = new OfferedCall(tool, wish);
    this.open.set(call.id, call);
    call.seq = this.seq + 1;
    this.write(call.frame());
    return call;
  }

  /** The client's decision about a call, whose digest must be that of the call. Skips the check where the client never decides. */
  async decision(call: OfferedCall, { again = false }: { readonly again?: boolean } = {}): Promise<Frame> {
    const frame = await this.peer.maybeNext(about('hitl_decision', call.id), PATIENCE.replyMs);
    if (frame === undefined) {
      const isIdle = !this.peer.received.some((each) => about('tool_preview', call.id)(each) || about('tool_ack', call.id)(each));
      demand(!again, 'the client decided nothing this time, and the call waits');
      demand(!isIdle, 'the client neither acknowledged, previewed nor decided a call that waits for a decision');
      throw new Skip('the client decided nothing: start it so that it approves by itself (CODELAB_APPROVE=all)');
    }
    demand(
      frame['args_sha256'] === call.digest,
      `the decision names the digest ${String(frame['args_sha256'])}, the call has ${call.digest}`,
    );
    return frame;
  }

  /** Waits for the client's approval and says that the call is approved. */
  async approve(call: OfferedCall, options: { readonly again?: boolean } = {}): Promise<void> {
    const { decision } = await this.decision(call, options);
    demand(decision === 'approve', `the client was to approve the call, and sent the decision ${String(decision)}`);
    this.resolve(call, 'approved');
  }

  /** Says how a question ended. */
  resolve(call: OfferedCall, outcome: Outcome, edit: { readonly args?: object; readonly digest?: string } = {}): string {
    const args = edit.args === undefined ? {} : { args: edit.args };
    const args_sha256 = edit.digest ?? (edit.args === undefined ? call.digest : argsDigest(edit.args));
    this.peer.drop(about('tool_result', call.id)); // answers to an earlier question
    if (outcome === 'approved' || outcome === 'edited') call.state = 'ready';
    else this.open.delete(call.id);
    return this.write({ type: 'approval_resolved', call_id: call.id, outcome, args_sha256, ...args, by: 'ann', at_ms: Date.now() });
  }

  /** The answer to a call, which is acknowledged unless `ack` is false. */
  async result(call: OfferedCall, { ack = true }: { readonly ack?: boolean } = {}): Promise<Frame> {
    const frame = await this.peer.next(`the tool_result of ${call.tool}`, about('tool_result', call.id));
    demand(frame['fence'] === call.fence, `the result has the fence ${String(frame['fence'])}, the call ${String(call.fence)}`);
    if (ack) this.acknowledge(call);
    return frame;
  }

  acknowledge(call: OfferedCall): void {
    this.open.delete(call.id);
    this.peer.send({ type: 'tool_result_ack', call_id: call.id, outcome: 'accepted' });
  }

  /** The call is open no more, and nobody says so. */
  forget(call: OfferedCall): void {
    this.open.delete(call.id);
  }

  /** Puts a question anew, as after `APPROVAL_MISMATCH`. */
  askAnew(call: OfferedCall): void {
    call.state = 'waiting_approval';
    call.seq = this.seq + 1;
    this.open.set(call.id, call);
    this.write(call.frame());
  }

  /** Fails if the client does something with a call. */
  leavesAlone(call: OfferedCall, types: readonly string[] = ['tool_ack', 'tool_result']): Promise<void> {
    const fits: Fits = (frame) => types.includes(frame.type) && frame['call_id'] === call.id;
    return this.peer.refrains(`send ${types.join(' or ')} for this call`, fits);
  }

  /** What the client did wrong on any connection of this session. */
  allFaults(): readonly string[] {
    return [...this.faults, ...this.server.faults, ...this.peers.flatMap(({ faults }) => faults)];
  }

  /** Ends the connection, if there is one, so that the client comes again. */
  dismiss(): void {
    if (this.current?.isOpen === true) this.current.close(4000);
  }

  private answer(peer: Peer, frame: Frame): void {
    if (frame.type === 'ack' && (frame['seq'] as number) > this.seq) this.faults.push(`ack ${show(frame)} is ahead of the log`);
    if (frame.type !== 'user_message' || !this.acceptsMessages) return;
    const id = (frame['message_id'] as string | undefined) ?? randomUUID();
    const before = this.accepted.get(id);
    if (before !== undefined && before !== frame['content']) this.faults.push(`another text came under the message_id ${id}`);
    this.accepted.set(id, frame['content'] as string);
    peer.send({ type: 'message_accepted', message_id: id, turn_id: 'turn_1', state: 'started' });
  }
}

/** The error of a `tool_result`; `undefined` where it has a result. */
export const errorOf = (frame: Frame): string | undefined => (frame['error'] as { readonly code?: string } | undefined)?.code;

/** Fails unless the call was refused with one of these codes. */
export function demandError(frame: Frame, ...codes: readonly string[]): void {
  const code = errorOf(frame);
  demand(code !== undefined && codes.includes(code), `the result must be the error ${codes.join(' or ')}, but is ${show(frame)}`);
}

/** Fails unless the call has a result. */
export function demandResult(frame: Frame): void {
  demand(errorOf(frame) === undefined, `the call must have a result, but failed: ${show(frame)}`);
}
