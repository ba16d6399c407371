import { sessionRef, type CallRecord, type Committed, type DecisionRecord, type InboxEntry, type QueuedMessage } from '@codelab/bus';
import type { SessionMeta, StepAnswer, StepEffects, StepFailure } from '@codelab/bus';

/** An inbox entry before it has its number. */
export type NewEntry = InboxEntry extends infer Entry ? (Entry extends { id: number } ? Omit<Entry, 'id'> : never) : never;

const questionOf = ({ frame, argsSha256, expiresAtMs }: Extract<StepEffects['calls'][number], { kind: 'ask_again' }>) => ({
  ...{ frame, argsSha256, expiresAtMs },
});

interface SimulatedCall {
  record: CallRecord;
  /** The last inbox entry about it. */
  heardIn: number;
}

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
  capabilities: '',
  clientGraceMs: 0,
  serverSideDecisions: false,
};

/** What of a session a test may choose. */
export type SimulatedFacts = typeof FACTS & Pick<SessionMeta, 'child'>;

/**
 * One session as the store keeps it, in memory and without time: what each script does, for tests that run a hundred thousand steps. The
 * scripts themselves are tested on a real Redis.
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
  /** The model request that is out. */
  step: { stepId: string; request: string; attempt: number } | undefined;
  private readonly calls = new Map<string, SimulatedCall>();
  private readonly tombstones = new Map<string, 'closed' | 'synthetic'>();
  private unseen = new Set<string>();
  private seen = 0;
  private turns = 0;

  constructor(facts: Partial<SimulatedFacts> = {}) {
    this.facts = { ...FACTS, ...facts };
  }

  get records(): readonly CallRecord[] {
    return [...this.calls.values()].map(({ record }) => record);
  }

  get meta(): SessionMeta {
    const { ref, facts, state, turnId, cancelTurnId, inboxDone } = this;
    const counts = { createdAtMs: 0, updatedAtMs: 0, epoch: 'e', seq: this.frames.length, historyVersion: this.history.length };
    return { ref, ...facts, ...counts, state, turnId, cancelTurnId, inboxDone };
  }

  deliver(frame: { content: string } & Record<string, unknown>, whenBusy: 'enqueue' | 'steer' | 'interrupt' = 'enqueue'): string {
    this.turns += 1;
    const message = {
      messageId: `m${String(this.turns)}`,
      turnId: `t${String(this.turns)}`,
      frame: JSON.stringify({ type: 'user_message', ...frame }),
    };
    if (this.turnId === '') this.start(message);
    else if (whenBusy === 'steer' && this.cancelTurnId === '')
      this.push({ kind: 'message', ...message, turnId: this.turnId, steered: true });
    else if (whenBusy === 'interrupt') {
      this.cancel();
      this.queue = [message, ...this.queue];
    } else this.queue = [...this.queue, message];
    return message.messageId;
  }

  /** The result of a call, as its executor sends it. */
  settle(callId: string, answer: { result?: unknown; error?: { code: string; message: string } }): 'accepted' | 'duplicate' | 'refused' {
    const frame = JSON.stringify({ type: 'tool_result', call_id: callId, ...answer });
    const tombstone = this.tombstones.get(callId);
    if (tombstone === 'closed') return 'duplicate';
    if (tombstone === 'synthetic') {
      const replaces = this.unseen.delete(callId);
      this.tombstones.set(callId, 'closed');
      this.push({ kind: 'late_result', callId, frame, replaces });
      return replaces ? 'accepted' : 'duplicate';
    }
    const call = this.calls.get(callId);
    if (call === undefined) return 'refused';
    if (call.record.state === 'answered') return 'duplicate';
    const local = call.record.state === 'waiting_approval';
    if (local && this.facts.executor !== 'seed') return 'refused';
    call.heardIn = this.push({ kind: 'result', callId, frame, local });
    call.record = { ...call.record, state: 'answered', result: frame };
    return 'accepted';
  }

  decide(callId: string, decision: Partial<DecisionRecord> & Pick<DecisionRecord, 'outcome'>): boolean {
    const call = this.calls.get(callId);
    if (call?.record.state !== 'waiting_approval') return false;
    const record: DecisionRecord = { argsSha256: call.record.argsSha256, by: 'ana', atMs: 0, ...decision };
    this.frames.push(JSON.stringify({ type: 'approval_resolved', call_id: callId, outcome: record.outcome, by: record.by }));
    call.heardIn = this.push({ kind: 'decision', callId, decision: record });
    const runs = record.outcome === 'approved' || record.outcome === 'edited';
    call.record = { ...call.record, state: runs ? 'ready' : 'answered', decision: record, argsSha256: record.argsSha256 };
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
  note(callId: string, evidence: Partial<Pick<CallRecord, 'progress' | 'startedAtMs' | 'givenTo'>>): void {
    const call = this.calls.get(callId);
    if (call !== undefined) call.record = { ...call.record, ...evidence };
  }

  push(entry: NewEntry): number {
    this.seen += 1;
    this.inbox = [...this.inbox, { id: this.seen, ...entry }];
    return this.seen;
  }

  commit(cancelSeen: string, step: StepEffects): Committed | 'cancelled' {
    if (this.cancelTurnId !== '' && this.cancelTurnId !== cancelSeen) return 'cancelled';
    const unheard = step.calls.some((change) => {
      const overrides = change.kind === 'ask_again' || change.kind === 'reassign' || (change.kind === 'close' && change.synthetic);
      return overrides && (this.calls.get('callId' in change ? change.callId : '')?.heardIn ?? 0) > step.inboxUpTo;
    });
    if (unheard) return 'cancelled';
    this.frames.push(...step.frames);
    this.history.push(...step.history);
    for (const change of step.calls) this.change(change);
    this.state = step.state;
    this.facts = { ...this.facts, ...(step.meta?.title === undefined ? {} : { title: step.meta.title }) };
    this.inbox = this.inbox.filter(({ id }) => id > step.inboxUpTo);
    this.inboxDone = step.inboxUpTo;
    if (step.modelRequest !== undefined) {
      this.step = { ...step.modelRequest, attempt: 0 };
      this.unseen = new Set();
    }
    if (step.endTurn !== undefined) this.end(step.endTurn);
    return { seq: this.frames.length, turnId: this.turnId };
  }

  private change(change: StepEffects['calls'][number]): void {
    if (change.kind === 'open') {
      const fresh = { seq: 0, preview: '', progress: '', startedAtMs: 0, givenTo: '', result: '', agent: '' } as const;
      this.calls.set(change.call.callId, { record: { ...fresh, ...change.call }, heardIn: 0 });
      return;
    }
    const call = this.calls.get(change.callId);
    if (call === undefined) throw new Error(`${change.kind} of ${change.callId}, which is not open`);
    const { decision: _, ...rest } = call.record;
    if (change.kind === 'ask_again')
      call.record = { ...rest, ...questionOf(change), state: 'waiting_approval', result: '', progress: '', startedAtMs: 0, preview: '' };
    if (change.kind === 'reassign') call.record = { ...call.record, fence: change.fence, givenTo: '', progress: '', startedAtMs: 0 };
    if (change.kind !== 'close') return;
    const impossible =
      (call.record.state === 'answered' && call.record.result === '') ||
      (call.record.state === 'waiting_approval' && this.facts.executor !== 'seed');
    const kept = change.synthetic && !impossible ? 'synthetic' : 'closed';
    this.calls.delete(change.callId);
    this.tombstones.set(change.callId, kept);
    if (kept === 'synthetic') this.unseen.add(change.callId);
  }

  private end({ turnId, requeue }: NonNullable<StepEffects['endTurn']>): void {
    if (this.turnId === turnId) {
      this.turnId = '';
      this.cancelTurnId = '';
      this.step = undefined;
    }
    this.queue = [...requeue, ...this.queue];
    const [next, ...rest] = this.queue;
    if (this.turnId !== '' || next === undefined) return;
    this.queue = rest;
    this.start(next);
  }

  private start(message: QueuedMessage): void {
    this.turnId = message.turnId;
    this.push({ kind: 'message', ...message, steered: false });
  }
}
