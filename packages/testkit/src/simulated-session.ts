import { sessionRef, type Committed, type InboxEntry, type Joining, type QueuedMessage } from '@codelab/bus';
import type { SessionMeta, StepAnswer, StepEffects, StepFailure } from '@codelab/bus';
import { changeCall, isSeedName, type CallChange, type CallEvent, type CallRecord, type CallSession } from '@codelab/protocol';
import type { DecisionRecord, StoredCall } from '@codelab/protocol';

/** An inbox entry before it has its number. */
export type NewEntry = InboxEntry extends infer Entry ? (Entry extends { id: number } ? Omit<Entry, 'id'> : never) : never;

interface SimulatedCall {
  /** What the lifecycle of calls goes by. */
  stored: StoredCall;
  /** The rest of the record. */
  facts: Omit<CallRecord, keyof StoredCall | 'decision' | 'result'>;
  decision: DecisionRecord | undefined;
  result: string | undefined;
  /** The last inbox entry about it. */
  heardIn: number;
}

const SEED = 'seed';
const OPEN: ReadonlySet<string> = new Set(['waiting_approval', 'ready', 'answered', 'refused']);
const UNTOUCHED = { seq: 0, preview: '', startedAtMs: 0, agent: '' };

const toRecord = ({ stored, facts, decision, result }: SimulatedCall): CallRecord => {
  const { fence, givenTo, idempotency, argsSha256, expiresAtMs, progress, state } = stored;
  const all = { ...facts, fence, givenTo, idempotency, argsSha256, expiresAtMs, progress };
  if (state === 'waiting_approval') return { ...all, state };
  return state === 'ready' ? { ...all, state, decision } : { ...all, state: 'answered', decision, result };
};

const FACTS = {
  model: 'm1',
  agent: 'coder',
  mode: 'medium',
  vocabulary: 'codelab',
  title: '',
  executor: 'client-1',
  executorTools: JSON.stringify(['read_file', 'write_file', 'git.diff', 'apply_patch', 'apply_patch_review', 'prompt_user']),
  protocolVersion: '2.0',
  workspace: '',
  facts: '',
  capabilities: '',
  clientGraceMs: 0,
  serverSideDecisions: false,
};

/** What of a session a test may choose. */
export type SimulatedFacts = typeof FACTS & Pick<SessionMeta, 'child'>;

/**
 * One session as the store keeps it, in memory and without time: what each script does, for tests that run a hundred thousand steps. The
 * scripts themselves are tested on a real Redis, in one suite with this. It has no leases and no numbered log: who advances it is one test,
 * which reads `frames`.
 */
export class SimulatedSession {
  readonly ref = sessionRef({ tenant: 'tenant', sub: 'ana' }, 'simulated');
  facts: SimulatedFacts;
  state = '';
  turnId = '';
  cancelTurnId = '';
  inbox: InboxEntry[] = [];
  inboxDone = 0;
  readonly frames: string[] = [];
  readonly history: string[] = [];
  queue: QueuedMessage[] = [];
  /** Messages that wait for the next model request of the turn that runs. */
  steering: QueuedMessage[] = [];
  /** JSON text of the task list; '' for none. */
  todos = '';
  /** The model request that is out. */
  step: { stepId: string; request: string; attempt: number } | undefined;
  private readonly calls = new Map<string, SimulatedCall>();
  /** Messages that were taken out while they waited. */
  readonly removed = new Set<string>();
  /** All that were delivered. */
  readonly delivered: string[] = [];
  private seen = 0;
  private turns = 0;

  constructor(facts: Partial<SimulatedFacts> = {}) {
    this.facts = { ...FACTS, ...facts };
  }

  get records(): readonly CallRecord[] {
    return [...this.calls.values()].filter(({ stored }) => OPEN.has(stored.state)).map(toRecord);
  }

  get meta(): SessionMeta {
    const { ref, facts, state, turnId, cancelTurnId, inboxDone } = this;
    const counts = { createdAtMs: 0, updatedAtMs: 0, epoch: 'e', seq: this.frames.length, historyVersion: this.history.length };
    return { ref, ...facts, ...counts, state, turnId, cancelTurnId, inboxDone };
  }

  /** A client joins, or joins again: it executes where nobody does, or where the one who did is a seed client or `succeeds`, and runs nothing. */
  join({ clientId = SEED, tools, succeeds }: Pick<Joining, 'clientId' | 'tools' | 'succeeds'>): void {
    if (clientId !== SEED && tools === undefined) return;
    if (clientId !== this.facts.executor && this.yieldsTo(succeeds)) {
      this.facts = { ...this.facts, executor: clientId };
      if (this.records.length > 0) this.push({ kind: 'executor', executor: clientId });
    }
    if (clientId === this.facts.executor) this.facts = { ...this.facts, executorTools: tools ?? '' };
  }

  /** A human gives the session another executor. */
  moveExecutor(executor: string): void {
    if (executor === this.facts.executor) return;
    this.facts = { ...this.facts, executor, executorTools: '' };
    this.push({ kind: 'executor', executor });
  }

  /** A call is about to be written to a client. */
  give(callId: string, fence: number, to: string): boolean {
    const call = this.calls.get(callId);
    return call !== undefined && this.happen(call, { kind: 'give', to, fence }) === undefined;
  }

  /** Who answers for a call: `client_id`, or '' for a client without identity. */
  answering(callId: string): string {
    const givenTo = this.calls.get(callId)?.stored.givenTo ?? '';
    const owner = givenTo === '' ? this.facts.executor : givenTo;
    return isSeedName(owner) ? '' : owner;
  }

  private yieldsTo(succeeds: string | undefined): boolean {
    const { executor } = this.facts;
    if (executor === '') return true;
    if (executor !== SEED && executor !== succeeds) return false;
    const isIts = (owner: string): boolean => owner === executor || (executor === SEED && isSeedName(owner));
    return !this.records.some(({ state, givenTo }) => state !== 'answered' && isIts(givenTo));
  }

  deliver(frame: { content: string } & Record<string, unknown>, whenBusy: 'enqueue' | 'steer' | 'interrupt' = 'enqueue'): string {
    this.turns += 1;
    const message = {
      messageId: `m${String(this.turns)}`,
      turnId: `t${String(this.turns)}`,
      frame: JSON.stringify({ type: 'user_message', ...frame }),
    };
    this.delivered.push(message.messageId);
    if (this.turnId === '') this.start(message);
    else if (whenBusy === 'steer' && this.cancelTurnId === '') {
      this.steering = [...this.steering, message];
      this.push({ kind: 'message', ...message, turnId: this.turnId, steered: true });
    } else if (whenBusy === 'enqueue') this.queue = [...this.queue, message];
    else {
      if (whenBusy === 'interrupt') this.cancel();
      this.queue = [message, ...this.queue];
    }
    return message.messageId;
  }

  /** Takes a waiting message out. */
  removeQueued(messageId: string): boolean {
    const isOther = (message: QueuedMessage): boolean => message.messageId !== messageId;
    const [waits, steers] = [this.queue.some((each) => !isOther(each)), this.steering.some((each) => !isOther(each))];
    [this.queue, this.steering] = [this.queue.filter(isOther), this.steering.filter(isOther)];
    if (waits || steers) this.removed.add(messageId);
    if (steers) this.push({ kind: 'removed', messageId });
    return waits || steers;
  }

  /** The result of a call, as its executor sends it. */
  settle(
    callId: string,
    answer: { result?: unknown; error?: { code: string; message: string }; preview_failed?: boolean },
  ): 'accepted' | 'duplicate' | 'refused' {
    const frame = JSON.stringify({ type: 'tool_result', call_id: callId, ...answer });
    const call = this.calls.get(callId);
    const before = call?.stored;
    const previewFailed = answer.preview_failed === true;
    const code = this.happen(call, { kind: 'settle', clientId: this.answering(callId), previewFailed });
    if (code !== undefined || call === undefined || before === undefined) return code === 'DUPLICATE' ? 'duplicate' : 'refused';
    if (before.state === 'synthetic') {
      this.push({ kind: 'late_result', callId, frame, replaces: before.isUnseen });
      return before.isUnseen ? 'accepted' : 'duplicate';
    }
    const undecided = before.state === 'waiting_approval';
    const local = undecided && !previewFailed;
    const refuses = answer.error?.code === 'PERMISSION_DENIED' || answer.error?.code === 'DENIED_BY_POLICY';
    const outcome = undecided && previewFailed ? 'cancelled' : refuses ? 'rejected' : 'approved';
    if (undecided) {
      call.decision = { outcome, argsSha256: before.argsSha256, by: 'executor', atMs: 0 };
      this.frames.push(JSON.stringify({ type: 'approval_resolved', call_id: callId, outcome, by: 'executor' }));
    }
    call.heardIn = this.push({ kind: 'result', callId, frame, local, unasked: (undecided && previewFailed) || undefined });
    call.result = frame;
    return 'accepted';
  }

  decide(callId: string, decision: Partial<DecisionRecord> & Pick<DecisionRecord, 'outcome'>): boolean {
    const call = this.calls.get(callId);
    if (call === undefined || (this.turnId !== '' && this.cancelTurnId === this.turnId)) return false;
    const record: DecisionRecord = { argsSha256: call.stored.argsSha256, by: 'ana', atMs: 0, ...decision };
    if (this.happen(call, { kind: 'decide', outcome: record.outcome, argsSha256: record.argsSha256 }) !== undefined) return false;
    this.frames.push(JSON.stringify({ type: 'approval_resolved', call_id: callId, outcome: record.outcome, by: record.by }));
    call.heardIn = this.push({ kind: 'decision', callId, decision: record });
    call.decision = record;
    return true;
  }

  cancel(): boolean {
    if (this.turnId === '' || this.cancelTurnId === this.turnId) return false;
    this.cancelTurnId = this.turnId;
    this.push({ kind: 'cancel', turnId: this.turnId });
    return true;
  }

  answer(answer: Partial<StepAnswer> = {}): boolean {
    if (this.step === undefined || this.cancelTurnId !== '') return false;
    const { stepId, attempt } = this.step;
    const whole: StepAnswer = {
      model: 'm1',
      text: '',
      toolCalls: [],
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
      ...answer,
    };
    this.push({ kind: 'answer', stepId, attempt: Math.max(attempt, 1), answer: JSON.stringify(whole) });
    this.step = undefined;
    return true;
  }

  fail(failure: Partial<StepFailure> = {}): boolean {
    if (this.step === undefined || this.cancelTurnId !== '') return false;
    const { stepId, attempt } = this.step;
    const whole: StepFailure = { code: 'unavailable', message: 'The provider could not be reached.', retryable: true, ...failure };
    this.push({ kind: 'failure', stepId, attempt: Math.max(attempt, 1), failure: JSON.stringify(whole) });
    this.step = undefined;
    return true;
  }

  /** Evidence of an executor, or to whom a call was written. */
  note(callId: string, { startedAtMs, ...evidence }: Partial<Pick<CallRecord, 'progress' | 'startedAtMs' | 'givenTo'>>): void {
    const call = this.calls.get(callId);
    if (call === undefined) return;
    call.stored = { ...call.stored, ...evidence };
    call.facts = { ...call.facts, startedAtMs: startedAtMs ?? call.facts.startedAtMs };
  }

  push(entry: NewEntry): number {
    this.seen += 1;
    this.inbox = [...this.inbox, { id: this.seen, ...entry }];
    return this.seen;
  }

  commit(cancelSeen: string, step: StepEffects): Committed | 'cancelled' {
    if (this.cancelTurnId !== '' && this.cancelTurnId !== cancelSeen) return 'cancelled';
    const unheard = step.calls.some((change) => {
      const overrides = change.kind !== 'open' && (change.kind !== 'close' || change.synthetic);
      return overrides && (this.calls.get(change.callId)?.heardIn ?? 0) > step.inboxUpTo;
    });
    const taken = step.taken ?? [];
    if (unheard || taken.some((messageId) => this.removed.has(messageId))) return 'cancelled';
    this.steering = this.steering.filter(({ messageId }) => !taken.includes(messageId));
    this.frames.push(...step.frames.map(({ text }) => text));
    this.history.push(...step.history);
    for (const change of step.calls) this.change(change);
    this.state = step.state;
    this.todos = step.todos ?? this.todos;
    this.facts = { ...this.facts, title: step.meta?.title ?? this.facts.title, mode: step.meta?.mode ?? this.facts.mode };
    this.inbox = this.inbox.filter(({ id }) => id > step.inboxUpTo);
    this.inboxDone = step.inboxUpTo;
    if (step.modelRequest !== undefined) {
      const { stepId, request, prompt } = step.modelRequest;
      const whole = { ...(JSON.parse(request) as object), ...(JSON.parse(prompt?.text ?? '{}') as object) };
      this.step = { stepId, request: JSON.stringify(whole), attempt: 0 };
      for (const call of this.calls.values()) call.stored = { ...call.stored, isUnseen: false };
    }
    if (step.endTurn !== undefined) this.end(step.endTurn);
    return { seq: this.frames.length, turnId: this.turnId };
  }

  /** Why it does not happen to the call, if it doesn't. */
  private happen(call: SimulatedCall | undefined, event: CallEvent): string | undefined {
    const { executor, serverSideDecisions } = this.facts;
    const session: CallSession = { executor, serverSideDecisions, nowMs: 0 };
    const step = changeCall(call?.stored, event, session);
    if (step.ok && call !== undefined) call.stored = step.call;
    return step.ok ? undefined : step.code;
  }

  private change(change: CallChange): void {
    if (change.kind === 'open') {
      const { callId, toolName, deadlineMs, frame, agent = '', givenTo = '', ...opened } = change.call;
      const step = changeCall(
        undefined,
        { kind: 'open', call: { ...opened, givenTo } },
        { executor: '', serverSideDecisions: false, nowMs: 0 },
      );
      if (!step.ok) throw new Error(`open of ${callId}: ${step.code}`);
      const facts = { ...UNTOUCHED, callId, toolName, deadlineMs, frame, agent };
      this.calls.set(callId, { stored: step.call, facts, decision: undefined, result: undefined, heardIn: 0 });
      return;
    }
    const call = this.calls.get(change.callId);
    const code = this.happen(call, change.kind === 'approve' ? { kind: 'decide', ...change.decision } : change);
    if (call === undefined || code !== undefined) throw new Error(`${change.kind} of ${change.callId}, which is not open`);
    if (change.kind === 'approve') {
      call.decision = change.decision;
      return;
    }
    if (change.kind !== 'close') call.facts = { ...call.facts, startedAtMs: 0 };
    if (change.kind !== 'ask_again') return;
    call.facts = { ...call.facts, frame: change.frame, preview: '' };
    call.decision = undefined;
    call.result = undefined;
  }

  private end({ turnId, leftOver = [] }: NonNullable<StepEffects['endTurn']>): void {
    if (this.turnId !== turnId) return;
    this.turnId = '';
    this.cancelTurnId = '';
    this.step = undefined;
    const isKnown = ({ messageId }: QueuedMessage): boolean =>
      this.removed.has(messageId) || [...this.steering, ...this.queue].some((each) => each.messageId === messageId);
    const [next, ...rest] = [...this.steering, ...leftOver.filter((message) => !isKnown(message)), ...this.queue];
    this.steering = [];
    this.queue = rest;
    if (next !== undefined) this.start(next);
  }

  private start(message: QueuedMessage): void {
    this.turnId = message.turnId;
    this.push({ kind: 'message', ...message, steered: false });
  }
}
