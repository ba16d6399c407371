import type { AuditRow, StepEffects } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import { toEnvelope, type Envelope, type ServerFrame, type CallChange } from '@codelab/protocol';
import type { PolicyRule } from '@codelab/tools';
import { changeMarks, type MarksChange } from '@codelab/vocabularies';
import { activeTimeOf } from './turn-times.js';
import type { StepContext } from './step-context.js';
import {
  type Call,
  callsOf,
  type ContextState,
  type OpenCall,
  type Phase,
  type SessionState,
  type Step,
  type Turn,
  type Use,
  usesOf,
} from './turn-state.js';

type ToolStatus = Extract<ServerFrame, { type: 'tool_status' }>;

/** What a step did, for metrics and logs; counted once its commit has succeeded. Holds no content but what is said. */
export type TurnEvent =
  | { readonly kind: 'turn_started'; readonly turnId: string }
  | {
      readonly kind: 'turn_ended';
      readonly turnId: string;
      readonly status: 'completed' | 'failed' | 'cancelled';
      readonly code?: string;
      /** As it ended; not for logs: what waits in it is content. */
      readonly turn: Turn;
    }
  | { readonly kind: 'model_asked'; readonly stepId: string }
  | { readonly kind: 'model_answered'; readonly stepId: string }
  | { readonly kind: 'model_failed'; readonly stepId: string; readonly code: string }
  /** `outcome`: `ok` or the code of the error. */
  | { readonly kind: 'call_settled'; readonly callId: string; readonly toolName: string; readonly outcome: string }
  /** Something came in that the state has no place for; it was consumed without effect. */
  | { readonly kind: 'ignored'; readonly what: string; readonly id: string }
  /** A row of a vocabulary threw; its use was ended. */
  | { readonly kind: 'use_fault'; readonly useId: string; readonly name: string; readonly cause: unknown }
  /** The step threw; the turn was ended (R3). */
  | { readonly kind: 'fault'; readonly cause: unknown };

/** A step while it is computed: the state so far, and what the commit will write. Lives for one call of `advanceTurn`. */
export class StepBuilder {
  readonly frames: Envelope[] = [];
  readonly history: string[] = [];
  /** How many items of `history` are messages of the user. */
  userMessages = 0;
  readonly calls: CallChange[] = [];
  readonly events: TurnEvent[] = [];
  readonly audit: AuditRow[] = [];
  modelRequest: StepEffects['modelRequest'];
  endTurn: StepEffects['endTurn'];
  /** Steered messages that go into the turn in this step. */
  taken: readonly string[] = [];
  meta: NonNullable<StepEffects['meta']> = {};
  todos: StepEffects['todos'];
  /** Something of the state that is stored has changed. */
  hasChanged = false;
  /** What calls are judged by beside the policy. */
  rules: readonly PolicyRule[] = [];
  /** Turns whose cancel is among the inputs, wherever it stands there: nothing new begins in them. */
  cancelling: ReadonlySet<string> = new Set();

  /** Uses of tools that were told of in this step, each with its last status. */
  readonly toldUses = new Map<string, ToolStatus['status']>();
  /** What was so before the step. */
  readonly before: SessionState;

  constructor(
    public state: SessionState,
    public context: StepContext,
    readonly nowMs: number,
  ) {
    this.before = state;
  }

  get turn(): Turn | undefined {
    return this.state.turn;
  }

  /** Whether the turn is cancelled, or will be before this step is over. */
  get isCancelled(): boolean {
    return this.turn?.cancelledAtMs !== undefined || this.cancelling.has(this.turn?.turnId ?? '');
  }

  /** The turn, where only a bug can have lost it. */
  get runningTurn(): Turn {
    if (this.state.turn === undefined) throw new Error('no turn runs');
    return this.state.turn;
  }

  /** Items of the history once this step is committed. */
  get historyVersion(): number {
    return this.state.historyVersion + this.history.length;
  }

  change(changes: Partial<Turn>): void {
    this.hasChanged = true;
    this.state = { ...this.state, turn: { ...this.runningTurn, ...changes } };
  }

  /** Takes what is known of the step that is out and isn't stored: its text. */
  keepText(step: Step): void {
    this.state = { ...this.state, turn: { ...this.runningTurn, phase: { kind: 'asking', step } } };
  }

  /** Goes to the next phase; the time spent in this one is counted. */
  enter(phase: Phase): void {
    const turn = this.runningTurn;
    this.change({ phase, phaseSinceMs: this.nowMs, activeMs: turn.activeMs + activeTimeOf(turn, this.nowMs) });
  }

  /** The session leaves the mode `plan`, for the rest of this step too. */
  leavePlanMode(): void {
    this.meta = { ...this.meta, mode: 'medium' };
    this.context = { ...this.context, facts: { ...this.context.facts, plans: false } };
  }

  /** Takes what a use leaves to later ones, and tells of a task list that has changed. */
  mark(change: MarksChange): void {
    this.hasChanged = true;
    this.state = { ...this.state, marks: changeMarks(this.state.marks, { ...change, reads: change.reads && this.dated(change.reads) }) };
    if (change.todos === undefined) return;
    this.say({ type: 'todos_updated', todos: [...change.todos] });
    this.todos = JSON.stringify(change.todos);
  }

  /** Forgets which files were read before the item `upTo` of the history: what the model is shown no more, it has to read again. */
  dropReads(upTo = Infinity): void {
    const { marks } = this.state;
    const gone = Object.entries(marks?.reads ?? {}).filter(([, { at = 0 }]) => at < upTo);
    if (gone.length > 0) this.mark({ reads: Object.fromEntries(gone.map(([path]) => [path, null])) });
  }

  private dated(reads: NonNullable<MarksChange['reads']>): MarksChange['reads'] {
    const at = this.historyVersion;
    return Object.fromEntries(Object.entries(reads).map(([path, mark]) => [path, mark && { ...mark, at }]));
  }

  /** Keeps what was learned of the model's window. */
  learn(context: ContextState | undefined): void {
    if (context === undefined) return;
    this.hasChanged = true;
    this.state = { ...this.state, context };
  }

  findCall(callId: string): Call | undefined {
    return this.turn === undefined ? undefined : callsOf(this.turn).find((call) => call.callId === callId);
  }

  /** Takes the call in its new state. */
  putCall(changed: Call): void {
    const calls = callsOf(this.runningTurn).map((call) => (call.callId === changed.callId ? changed : call));
    this.change({ phase: { kind: 'calling', calls, uses: usesOf(this.runningTurn) } });
  }

  /** Takes the use in its new state, with a call that was made for it. */
  putUse(changed: Use, made: readonly Call[] = []): void {
    const uses = usesOf(this.runningTurn).map((use) => (use.useId === changed.useId ? changed : use));
    this.change({ phase: { kind: 'calling', calls: [...callsOf(this.runningTurn), ...made], uses } });
  }

  /** Puts a frame into the log. Returns its text. */
  say(frame: ServerFrame): string {
    const envelope = toEnvelope(frame);
    this.frames.push(envelope);
    return envelope.text;
  }

  /** Says where a tool stands, if somebody reads it. */
  sayStatus(callId: string, toolName: string | undefined, status: ToolStatus['status'], error?: ToolStatus['error']): void {
    if (!this.context.facts.capabilities.has('tool_status')) return;
    this.say({ type: 'tool_status', call_id: callId, status, tool_name: toolName, error });
  }

  /** Puts a decision about a call into the audit trail: its name, its digest and what it acts on. */
  record(
    call: Pick<OpenCall, 'callId' | 'toolName' | 'argsSha256'>,
    decided: Pick<AuditRow, 'outcome' | 'by' | 'reason' | 'ruleId' | 'target'>,
  ): void {
    const { callId, toolName, argsSha256 } = call;
    this.audit.push({ turnId: this.runningTurn.turnId, callId, toolName, argsSha256, ...decided });
  }

  remember(item: HistoryItem): void {
    if (item.role === 'user') this.userMessages += 1;
    this.history.push(JSON.stringify(item));
  }
}
