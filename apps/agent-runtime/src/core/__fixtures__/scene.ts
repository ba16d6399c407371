import type { Committed, InboxEntry, SessionMeta, StepEffects } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import type { ServerFrame, ServerFrameOf, ServerFrameType, CallRecord } from '@codelab/protocol';
import { type Advance, advanceTurn } from '../turn/advance-turn.js';
import { needsRecords, nextWakeAt, reviewsQuestions } from '../turn/turn-times.js';
import type { PolicyRule } from '@codelab/tools';
import type { RuntimeLimits } from '../turn/runtime-limits.js';
import { parseState } from '../turn/serialise-state.js';
import { type KnownWorkspace, NOTHING_KNOWN } from '../prompt/told.js';
import { toFacts } from '../session/session-facts.js';
import type { StepContext, StepInputs } from '../turn/step-context.js';
import { EMPTY_STATE, type SessionState } from '../turn/turn-state.js';

/** Where a scene keeps its session: testkit's `SimulatedSession`. */
export interface SceneSession {
  readonly meta: SessionMeta;
  readonly records: readonly CallRecord[];
  readonly inbox: readonly InboxEntry[];
  readonly inboxDone: number;
  readonly frames: readonly string[];
  readonly history: readonly string[];
  commit(cancelSeen: string, step: StepEffects): Committed | 'cancelled';
}

export const LIMITS: RuntimeLimits = { maxRounds: 50, turnTimeoutMs: 1_800_000, approvalTimeoutMs: 0, defaultModel: 'm0', defaultVocabulary: 'auto' };

const parse = <T>(text: string): T => JSON.parse(text) as T;

/** What a step came to, and when time alone will have a consequence. */
type Taken = Advance & { readonly wakeAtMs: number | undefined };

/** A runtime that works on one session, step by step, with time and ids of the test. Ids follow from the state, so a repeated step has the same. */
export class Scene<Session extends SceneSession> {
  state: SessionState = EMPTY_STATE;
  nowMs = 1_000_000;
  /** What the executor says of the workspace. */
  knowledge: KnownWorkspace = NOTHING_KNOWN;
  /** Rules that humans made. */
  rules: readonly PolicyRule[] = [];
  /** What the last step came to. */
  last: Taken | undefined;

  constructor(
    readonly session: Session,
    readonly limits: RuntimeLimits = LIMITS,
  ) {}

  get frames(): readonly ServerFrame[] {
    return this.session.frames.map((text) => parse<ServerFrame>(text));
  }

  framesOf<Type extends ServerFrameType>(type: Type): readonly ServerFrameOf<Type>[] {
    return this.frames.filter((frame) => frame.type === type) as unknown as ServerFrameOf<Type>[]; // the type was compared
  }

  get history(): readonly HistoryItem[] {
    return this.session.history.map((text) => parse<HistoryItem>(text));
  }

  /** Ids of the calls that were sent, in order. */
  get sentCalls(): readonly string[] {
    return this.framesOf('tool_call').map(({ call_id }) => call_id);
  }

  get context(): StepContext {
    let count = 0;
    const newId = (prefix: string): string => `${prefix}_${String(this.state.commits)}_${String((count += 1))}`;
    return { facts: toFacts(this.session.meta, this.knowledge), limits: this.limits, newId };
  }

  /** Computes the next step and commits nothing. */
  compute(more: Partial<StepInputs> = {}): Advance {
    const { inbox: entries, inboxDone, records } = this.session;
    const known = needsRecords(this.state, entries, this.nowMs) ? { records } : {};
    const reviews = reviewsQuestions(this.state, entries, this.nowMs);
    const given = { nowMs: this.nowMs, entries, inboxDone, reviews, rules: this.rules, ...known };
    return advanceTurn(this.state, { ...given, ...more }, this.context);
  }

  /** Takes the next step. */
  run(more: Partial<StepInputs> = {}): Taken {
    const advance = this.compute(more);
    if (advance.effects !== undefined && this.session.commit(advance.cancelSeen, advance.effects) === 'cancelled') {
      throw new Error('the session knows something that the step did not');
    }
    this.state = advance.state;
    this.last = { ...advance, wakeAtMs: nextWakeAt(advance.state, this.limits) };
    return this.last;
  }

  /** Takes steps until nothing is left to do at this time. */
  settle(): void {
    for (let steps = 0; steps < 100; steps += 1) {
      const { effects, wakeAtMs } = this.run();
      if (effects === undefined && (wakeAtMs ?? Infinity) > this.nowMs) return;
    }
    throw new Error('the session never comes to rest');
  }

  /** Lets time pass; what is due happens. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.settle();
  }

  /** Forgets everything that is not stored, as another runtime would find it. */
  crash(): void {
    const { state, historyVersion } = this.session.meta;
    const parsed = parseState(state, { calls: this.session.records, historyVersion });
    if (parsed.kind !== 'state') throw new Error(`the stored state is ${parsed.kind}`);
    this.state = parsed.state;
  }
}
