import { decodeServerFrame, type ClientFrame, type ServerFrame, type ServerFrameOf } from '@codelab/protocol';
import type { ApprovalAnswer, Approve } from '../approvals/approval-request.js';
import { Approvals } from '../approvals/approvals.js';
import { CallAnswers } from './call-answers.js';
import { CallLanes } from './call-lanes.js';
import { checkArguments, hasTool, isUnsafe, type CallTask, type CheckedArguments } from './call-task.js';
import { clearCall } from './clear-call.js';
import { RefusedError } from '../client-errors.js';
import type { Journal } from '../journal/journal.js';
import type { CallPlace, LocalPolicy } from '../local-policy/local-policy.js';
import type { PendingRequests } from '../requests/pending-requests.js';
import { preparePreview, sendPreview } from './show-preview.js';
import { TaskRunner, toJournalled, type OnRefused } from './task-runner.js';
import type { Clock } from '@codelab/clock';
import type { StopReason, ToolExecutor } from './tool-executor.js';

/** What dispatching needs. */
export interface DispatchPorts {
  readonly executor: ToolExecutor | undefined;
  readonly localPolicy: LocalPolicy;
  /** The session and the workspace that calls come from. */
  readonly place: () => CallPlace;
  readonly approve: Approve | undefined;
  readonly requests: PendingRequests;
  /** There is one before a call comes in, for a client that executes. */
  readonly journal: () => Journal | undefined;
  readonly clock: Clock;
  /** Sends a frame that nothing answers, if a connection is open. */
  readonly send: (frame: ClientFrame) => void;
  readonly buffered: () => number;
  /** The fingerprints of secrets that may be shown. Never rejects. */
  readonly allowedSecrets: () => Promise<ReadonlySet<string>>;
  /** Secrets of this client's own, which are masked whatever their shape. */
  readonly knownSecrets: () => readonly string[];
  readonly onRefused: OnRefused;
  readonly onProblem: (event: string, message: string) => void;
}

/** A program wants the call: it has no part in the turns of this session. */
const isProgram = ({ origin }: ServerFrameOf<'tool_call'>): boolean => origin === 'proxy';

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
  private readonly approvals: Approvals;
  private readonly answers: CallAnswers;
  private readonly runner: TaskRunner;
  private arrivals = 0;
  private role: Role = 'none';
  private live = false;
  private stopping = false;
  private turnId: string | undefined;

  constructor(private readonly ports: DispatchPorts) {
    this.approvals = new Approvals(ports);
    this.answers = new CallAnswers(ports);
    this.runner = new TaskRunner(ports, this.answers, (task) => this.forget(task));
  }

  /** The turn that runs, as far as the frames tell. */
  get currentTurn(): string | undefined {
    return this.turnId;
  }

  /** Unsafe calls begin only while the connection is live: offline nobody can say that a call still stands. */
  setLive(live: boolean): void {
    this.live = live;
    this.openLanes();
    if (live) this.answers.sendUnsettled((callId) => this.tasks.has(callId));
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
    this.dropWatched();
    if (recovered || snapshot === undefined) return;
    const calls = snapshot.open_calls.map((item) => decodeServerFrame(JSON.stringify(item))).filter((frame) => frame?.type === 'tool_call');
    const open = new Set(calls.map((call) => call.call_id));
    for (const task of [...this.tasks.values()]) {
      if (!open.has(task.callId) && task.phase.kind !== 'running') this.letGo(task, 'superseded'); // a large one comes again by itself, as do those of programs
    }
    this.turnId = typeof snapshot.turn?.['turn_id'] === 'string' ? snapshot.turn['turn_id'] : undefined;
    // The executor gets its calls as frames of their own, which the gateway first notes as given to it.
    if (this.role !== 'you') for (const call of calls) this.onCall(call);
  }

  /** No log tells what became of a question of a program meanwhile; one that still stands comes again. */
  private dropWatched(): void {
    for (const task of [...this.tasks.values()]) {
      if (isProgram(task.frame) && !task.claimed && task.phase.kind === 'asking') this.letGo(task, 'superseded');
    }
  }

  private setRole(role: Role): void {
    this.role = role;
    for (const task of role === 'you' ? [] : [...this.tasks.values()]) {
      if (task.phase.kind === 'asking') task.claimed = false;
      if (task.phase.kind === 'queued' || task.phase.kind === 'confirming') this.letGo(task, 'superseded');
    }
    this.openLanes();
  }

  private onCall(frame: ServerFrameOf<'tool_call'>): void {
    if (frame.call_id.length > MAX_ID_CHARACTERS) return;
    const known = this.tasks.get(frame.call_id);
    if (known !== undefined && frame.fence < known.frame.fence) return;
    if (frame.state === 'answered') {
      if (known !== undefined && known.phase.kind !== 'running') this.letGo(known, 'superseded');
    } else if (this.role !== 'you' || isServers(frame)) this.watch(known ?? this.adopt(frame), frame);
    else if (known?.claimed === true) this.repeat(known, frame);
    else {
      if (known !== undefined) this.letGo(known, 'superseded');
      this.begin(this.adopt(frame));
    }
  }

  private adopt(frame: ServerFrameOf<'tool_call'>): CallTask {
    this.arrivals += 1;
    const task: CallTask = {
      callId: frame.call_id,
      order: this.arrivals,
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

  /** A call that this process sees for the first time, or asked anew. */
  private begin(task: CallTask): void {
    const { frame, callId } = task;
    const journal = this.ports.journal();
    const entry = journal?.find(callId);
    task.claimed = true;
    if (entry?.errorCode === 'APPROVAL_MISMATCH' && frame.state === 'waiting_approval') journal?.reopened(callId);
    else if (entry !== undefined && entry.state !== 'received' && (entry.unsafe || isUnsafe(frame, this.ports.executor))) {
      return this.runner.answerAgain(task);
    } else {
      if (entry?.approvedSha256 !== undefined) task.approvedSha256 = entry.approvedSha256;
      if (entry?.shown !== undefined) task.binding = entry.shown;
    }
    journal?.received(toJournalled(task, this.ports.executor));
    this.advance(task);
  }

  /** A call that this process works on comes again, perhaps as another assignment: then what runs, or ran, answers that one. */
  private repeat(task: CallTask, frame: ServerFrameOf<'tool_call'>): void {
    const { kind } = task.phase;
    if (kind === 'answering' && this.isAskedAnew(task, frame)) {
      this.ports.requests.withdraw('result', task.callId);
      return this.begin(this.adopt(frame));
    }
    const shownBefore = task.shown?.sha256;
    task.frame = frame;
    if (kind === 'running') return this.acknowledge(task, 'started');
    if (kind === 'queued' || kind === 'confirming') return this.acknowledge(task, 'received');
    if (kind === 'answering') return;
    const args = checkArguments(frame.args);
    if (frame.state === 'waiting_approval') {
      if (args?.sha256 !== shownBefore) {
        this.approvals.withdraw(task);
        delete task.preview;
        task.isPreviewKnown = false;
        task.shown = args;
      }
      return this.advance(task);
    }
    this.approvals.withdraw(task);
    const swapped = frame.approval?.outcome === 'approved' && args?.sha256 !== shownBefore;
    void this.settle(task, swapped ? task.shown : args, frame.args_sha256);
  }

  /** The answer `APPROVAL_MISMATCH` has come through, although its acknowledgement hasn't: the question is put again. */
  private isAskedAnew({ callId }: CallTask, { state }: ServerFrameOf<'tool_call'>): boolean {
    return state === 'waiting_approval' && this.ports.journal()?.find(callId)?.errorCode === 'APPROVAL_MISMATCH';
  }

  /** Acknowledges a call and takes it to the next thing that it needs. */
  private advance(task: CallTask): void {
    this.acknowledge(task, 'received');
    if (task.frame.requires_approval && task.frame.state === 'waiting_approval') void this.showAndAsk(task);
    else void this.settle(task, task.shown, task.frame.args_sha256);
  }

  private async showAndAsk(task: CallTask): Promise<void> {
    task.phase = { kind: 'asking' };
    await preparePreview(task, this.ports, this.lifeOf(task));
    if (task.phase.kind !== 'asking' || this.tasks.get(task.callId) !== task) return;
    if (!task.isPreviewKnown) sendPreview(task, this.ports);
    this.approvals.ask(task);
  }

  /** The servers let the call run: checks that the arguments are those decided on (H2), clears it with this client, queues it. */
  private async settle(task: CallTask, args: CheckedArguments | undefined, sha256: string): Promise<void> {
    const { executor } = this.ports;
    const { tool_name: name } = task.frame;
    if (args === undefined)
      return this.runner.refuse(task, 'INVALID_ARGUMENTS', `The arguments of ${name} are not a JSON object that has a digest.`);
    if (args.sha256 !== sha256) {
      return this.runner.refuse(
        task,
        'APPROVAL_MISMATCH',
        `The arguments of ${name} are not those that were decided on. Nothing was done.`,
      );
    }
    if (executor === undefined || !hasTool(executor, name))
      return this.runner.refuse(task, 'TOOL_NOT_FOUND', `This client has no tool ${name}.`);
    const phase = (task.phase = { kind: 'confirming' } as const);
    task.shown = args;
    task.decided ||= task.frame.requires_approval && task.frame.state === 'ready';
    const clearance = await clearCall(task, args, this.approvals, this.ports, this.lifeOf(task));
    if (task.phase !== phase) return;
    if (clearance.allowed) {
      task.clearance = clearance;
      return this.queue(task);
    }
    const { code, why } = clearance;
    this.runner.refuse(
      task,
      code,
      (code === 'PERMISSION_DENIED' ? `The user of this client does not allow this ${name}. ${why}` : why).trim(),
    );
  }

  private queue(task: CallTask): void {
    const unsafe = isUnsafe(task.frame, this.ports.executor);
    const turnId = isProgram(task.frame) ? undefined : this.turnId;
    const job = { order: task.order, unsafe, start: () => this.runner.run(task, turnId) };
    task.phase = { kind: 'queued', job };
    this.lanes.add(job);
  }

  /** Its answer is known: at once, because the call may come again in the next frame. */
  private onAcknowledged({ call_id, outcome }: ServerFrameOf<'tool_result_ack'>): void {
    const task = this.tasks.get(call_id);
    if (task?.phase.kind !== 'answering') return;
    const isForAnother = outcome === 'stale' && task.frame.fence > task.phase.fence;
    if (isForAnother) this.begin(this.adopt(task.frame));
    else this.forget(task);
  }

  private forget(task: CallTask): void {
    if (this.tasks.get(task.callId) === task && task.phase.kind === 'answering') this.tasks.delete(task.callId);
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
    task.decided = true;
    void this.settle(task, frame.args === undefined ? task.shown : checkArguments(frame.args), frame.args_sha256);
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
    for (const task of [...this.tasks.values()]) if (!isProgram(task.frame)) this.letGo(task, 'cancelled');
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
  }

  private lifeOf(task: CallTask): AbortSignal {
    task.life ??= new AbortController();
    return task.life.signal;
  }

  private acknowledge({ callId, frame }: CallTask, state: 'received' | 'started'): void {
    this.ports.send({ type: 'tool_ack', call_id: callId, fence: frame.fence, state });
  }
}
