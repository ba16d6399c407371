import type { ServerFrame, ServerFrameOf } from '@codelab/protocol';
import type { ApprovalAnswer } from '../approvals/approval-request.js';
import { Approvals } from '../approvals/approvals.js';
import { RefusedError } from '../client-errors.js';
import { CallLanes } from './call-lanes.js';
import { CallOrder } from './call-order.js';
import type { CallPorts } from './call-ports.js';
import { CallRunner, type AnswerEnd } from './call-runner.js';
import { BY_RULE, checkArguments, isOfChild, isProgram, isUnsafe, readOpenCalls, type CallTask, type Cleared } from './call-task.js';
import { CallClearance } from './clear-call.js';
import type { StopReason } from './tool-executor.js';

/** llm-proxy runs the call: it is here to be decided only. */
const isServers = ({ runs_at }: ServerFrameOf<'tool_call'>): boolean => runs_at === 'server';

type Role = ServerFrameOf<'welcome'>['executor'];

/** A longer id can't be answered. */
const MAX_ID_CHARACTERS = 128;

/**
 * Takes the calls of a session to their end: acknowledged, asked, decided, run at most once (R2), answered. A call that comes again is
 * recognised, by this process or by the journal. An asked call runs only on `approval_resolved` (or when it comes again as decided), and
 * only with the arguments that the decision names (H1, H2, H3). Where another client executes, this one only asks its human.
 */
export class CallDispatcher {
  private readonly tasks = new Map<string, CallTask>();
  private readonly lanes = new CallLanes();
  private readonly order: CallOrder;
  private readonly approvals: Approvals;
  private readonly runner: CallRunner;
  private readonly clearance: CallClearance;
  private arrivals = 0;
  private role: Role = 'none';
  private live = false;
  private stopping = false;
  private turnId: string | undefined;

  constructor(private readonly ports: CallPorts) {
    this.approvals = new Approvals(ports, (decided) => void this.clearance.reconsider(decided));
    this.runner = new CallRunner(ports, (task, end) => this.onAnswered(task, end));
    this.order = new CallOrder(this.tasks, ports.executor);
    this.clearance = new CallClearance(ports, this.approvals, this.runner, this.order, (task, cleared) => this.queue(task, cleared));
  }

  /** The turn that runs, as far as the frames tell. */
  get currentTurn(): string | undefined {
    return this.turnId;
  }

  /** Unsafe calls begin only while the connection is live: offline nobody can say that a call still stands. */
  setLive(live: boolean): void {
    this.live = live;
    this.openLanes();
    if (live) this.runner.sendUnsettled((callId) => this.tasks.has(callId));
  }

  /** Decides a call in the place of the `approve` callback. */
  decide(callId: string, answer: ApprovalAnswer): Promise<ServerFrame> {
    const task = this.tasks.get(callId);
    if (task?.phase.kind === 'asking') return this.approvals.decide(task, answer);
    return Promise.reject(new RefusedError('UNKNOWN_CALL', `no call ${callId} waits for a decision`, false));
  }

  onFrame(frame: ServerFrame): void {
    if (this.stopping) return;
    if (frame.type === 'welcome') this.onWelcome(frame);
    else if (frame.type === 'executor_changed') this.setRole(frame.executor);
    else if (frame.type === 'tool_call') this.onCall(frame);
    else if (frame.type === 'approval_updated') this.onPreview(frame);
    else if (frame.type === 'approval_resolved') this.onResolved(frame);
    else if (frame.type === 'tool_cancel') this.onCancel(frame);
    else if (frame.type === 'tool_result_ack') this.onAcknowledged(frame);
    else if (frame.type === 'turn_started') this.turnId = frame.turn_id;
    else if (frame.type === 'turn_ended') this.onTurnEnded();
  }

  /** Tells every call to stop; resolves when the answers of those that ran are in the journal. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.openLanes();
    for (const task of [...this.tasks.values()]) this.letGo(task, 'closing');
    await this.runner.ended();
  }

  private openLanes(): void {
    this.lanes.openUnsafe(this.live && this.role === 'you' && !this.stopping);
  }

  private onWelcome({ executor, recovered, snapshot }: ServerFrameOf<'welcome'>): void {
    this.setRole(executor);
    this.dropChildren();
    if (recovered || snapshot === undefined) return;
    const calls = readOpenCalls(snapshot);
    const open = new Set(calls.map((call) => call.call_id));
    for (const task of [...this.tasks.values()]) {
      if (!open.has(task.callId) && task.phase.kind !== 'running') this.letGo(task, 'superseded'); // a large one comes again by itself, as do those of programs
    }
    this.turnId = typeof snapshot.turn?.['turn_id'] === 'string' ? snapshot.turn['turn_id'] : undefined;
    // The executor gets its calls as frames of their own, which the gateway first notes as given to it.
    if (this.role !== 'you') for (const call of calls) this.onCall(call);
  }

  /** No log tells what became of calls of children meanwhile: what has not begun may be over by now. What still stands comes again. */
  private dropChildren(): void {
    for (const task of [...this.tasks.values()]) {
      const { kind } = task.phase;
      const isQuestion = isProgram(task) && !task.claimed && kind === 'asking';
      const isWaiting = isOfChild(task) && (kind === 'queued' || kind === 'confirming');
      if (isQuestion || isWaiting) this.letGo(task, 'superseded');
    }
  }

  private setRole(role: Role): void {
    this.role = role;
    for (const task of role === 'you' ? [] : [...this.tasks.values()]) {
      if (task.phase.kind === 'asking') task.claimed = false;
      if (task.phase.kind === 'queued' || task.phase.kind === 'confirming') this.handBack(task);
    }
    this.openLanes();
  }

  /** Another client executes now. The servers give a safe call on; an unsafe one stays with whom it was handed to, and has to be answered here. */
  private handBack(task: CallTask): void {
    this.letGo(task, 'superseded');
    if (!isUnsafe(task.frame, this.ports.executor)) return;
    this.tasks.set(task.callId, task);
    this.runner.refuse(task, 'CANCELLED', `${task.frame.tool_name} was not begun: another client executes now.`);
  }

  private onCall(frame: ServerFrameOf<'tool_call'>): void {
    if (frame.call_id.length > MAX_ID_CHARACTERS) return;
    const known = this.tasks.get(frame.call_id);
    if (known !== undefined && frame.fence < known.frame.fence) return;
    if (frame.state === 'answered') {
      if (known !== undefined && known.phase.kind !== 'running') this.letGo(known, 'superseded');
    } else if (this.role !== 'you' && known === undefined && this.hasBegun(frame)) this.clearance.begin(this.adopt(frame));
    else if (this.role !== 'you' || isServers(frame)) this.watch(known ?? this.adopt(frame), frame);
    else if (known?.claimed === true) this.repeat(known, frame);
    else {
      if (known !== undefined) this.letGo(known, 'superseded');
      this.clearance.begin(this.adopt(frame));
    }
  }

  /**
   * It was begun here when this client executed, and the servers wait for its end: their store may have lost that. Nobody else can tell it, as an
   * unsafe call stays with whom it was handed to.
   */
  private hasBegun({ call_id, state }: ServerFrameOf<'tool_call'>): boolean {
    const entry = this.ports.journal()?.find(call_id);
    if (entry === undefined || entry.state === 'received') return false;
    return state === 'ready' && entry.unsafe && !this.ports.requests.has('result', call_id);
  }

  /** Takes a call on. One that begins anew keeps its place: calls behind it wait for it. */
  private adopt(frame: ServerFrameOf<'tool_call'>): CallTask {
    const task: CallTask = {
      callId: frame.call_id,
      order: this.tasks.get(frame.call_id)?.order ?? (this.arrivals += 1),
      frame,
      shown: checkArguments(frame.args),
      phase: { kind: 'new' },
      claimed: false,
      isPreviewKnown: false,
    };
    this.tasks.set(task.callId, task);
    return task;
  }

  /** Another client executes the call, or llm-proxy does: this one asks, if it is asked. */
  private watch(task: CallTask, frame: ServerFrameOf<'tool_call'>): void {
    if (task.phase.kind !== 'new' && task.phase.kind !== 'asking') return;
    if (frame.state !== 'waiting_approval') return this.letGo(task, 'superseded');
    task.phase = { kind: 'asking' };
    this.approvals.ask(task);
  }

  /** A call that this process works on comes again, perhaps as another assignment: then what runs, or ran, answers that one. */
  private repeat(task: CallTask, frame: ServerFrameOf<'tool_call'>): void {
    const { kind } = task.phase;
    const isMismatch = this.ports.journal()?.find(task.callId)?.errorCode === 'APPROVAL_MISMATCH';
    if (kind === 'answering' && isMismatch && frame.state === 'waiting_approval') {
      // that answer has come through, although its acknowledgement hasn't: the question is put again
      this.ports.requests.withdraw('result', task.callId);
      return this.clearance.begin(this.adopt(frame));
    }
    const shownBefore = task.shown?.sha256;
    task.frame = frame;
    task.isAskedAgain = frame.state === 'waiting_approval';
    if (kind === 'running') return this.clearance.acknowledge(task, 'started');
    if (kind === 'queued' || kind === 'confirming') return this.clearance.acknowledge(task, 'received');
    if (kind === 'answering') return;
    const args = checkArguments(frame.args);
    if (frame.state === 'waiting_approval') {
      if (args?.sha256 !== shownBefore) {
        this.approvals.withdraw(task);
        delete task.preview;
        task.isPreviewKnown = false;
        task.shown = args;
      }
      return this.clearance.advance(task);
    }
    this.approvals.withdraw(task);
    const swapped = frame.approval?.outcome === 'approved' && args?.sha256 !== shownBefore;
    void this.clearance.settle(task, swapped ? task.shown : args, frame.args_sha256);
  }

  private queue(task: CallTask, cleared: Cleared): void {
    const unsafe = isUnsafe(task.frame, this.ports.executor);
    const turnId = isProgram(task) ? undefined : this.turnId;
    const job = { order: task.order, unsafe, start: () => this.runner.run(task, cleared, turnId) };
    task.phase = { kind: 'queued', job };
    this.lanes.add(job);
  }

  /** Its answer is known: at once, because the call may come again in the next frame. */
  private onAcknowledged({ call_id, outcome }: ServerFrameOf<'tool_result_ack'>): void {
    const task = this.tasks.get(call_id);
    if (task?.phase.kind !== 'answering') return;
    const isForAnother = outcome === 'stale' && task.frame.fence > task.phase.fence;
    if (isForAnother) this.clearance.begin(this.adopt(task.frame));
    else this.forget(task);
  }

  /** What was done is asked about again where the decision is lost, and then answered from the journal. */
  private onAnswered(task: CallTask, end: AnswerEnd): void {
    const isKnown = this.tasks.get(task.callId) === task && task.phase.kind === 'answering';
    if (isKnown && end === 'undecided' && task.isAskedAgain === true && this.role === 'you' && !this.stopping)
      this.clearance.begin(this.adopt(task.frame));
    else this.forget(task);
  }

  private forget(task: CallTask): void {
    if (this.tasks.get(task.callId) !== task || task.phase.kind !== 'answering') return;
    this.tasks.delete(task.callId);
    this.order.advance();
  }

  private onPreview({ call_id, preview, operands }: ServerFrameOf<'approval_updated'>): void {
    const task = this.tasks.get(call_id);
    if (task === undefined) return;
    task.isPreviewKnown = true;
    if (this.role === 'you' && !isServers(task.frame)) return;
    task.preview = { preview, operands };
    this.approvals.update(task);
  }

  private onResolved(frame: ServerFrameOf<'approval_resolved'>): void {
    const task = this.tasks.get(frame.call_id);
    if (task?.phase.kind !== 'asking') return;
    this.approvals.withdraw(task);
    const runs = frame.outcome === 'approved' || frame.outcome === 'edited';
    if (!runs || this.role !== 'you' || isServers(task.frame)) return this.letGo(task, 'superseded');
    if (!task.claimed) return this.takeOver(task, frame);
    task.decided = frame.by !== BY_RULE;
    void this.clearance.settle(task, frame.args === undefined ? task.shown : checkArguments(frame.args), frame.args_sha256);
  }

  /** It was shown here while another client executed, and is decided now that this one does: what the journal knows comes first. */
  private takeOver({ frame }: CallTask, { args = frame.args, args_sha256, outcome, by, at_ms }: ServerFrameOf<'approval_resolved'>): void {
    const approval = frame.approval && { ...frame.approval, outcome, by, at_ms };
    this.clearance.begin(this.adopt({ ...frame, state: 'ready', args, args_sha256, approval }));
  }

  private onCancel({ call_id, reason }: ServerFrameOf<'tool_cancel'>): void {
    const task = this.tasks.get(call_id);
    if (task === undefined) return;
    const { kind } = task.phase;
    this.letGo(task, reason);
    if ((kind !== 'queued' && kind !== 'confirming') || reason === 'superseded') return;
    this.tasks.set(call_id, task);
    this.runner.refuse(task, 'CANCELLED', `${task.frame.tool_name} was cancelled before it began.`);
  }

  private onTurnEnded(): void {
    this.turnId = undefined;
    for (const task of [...this.tasks.values()]) if (!isProgram(task)) this.letGo(task, 'cancelled');
  }

  /** Gives a call up: stops it if it runs, forgets it if it has not begun, and leaves an answer on its way. */
  private letGo(task: CallTask, reason: StopReason): void {
    const { phase } = task;
    if (phase.kind === 'answering') return;
    if (phase.kind === 'running') return phase.stop.abort(reason);
    if (phase.kind === 'queued') this.lanes.remove(phase.job);
    this.approvals.withdraw(task);
    task.life?.abort();
    task.phase = { kind: 'new' };
    this.tasks.delete(task.callId);
    this.order.advance();
  }
}
