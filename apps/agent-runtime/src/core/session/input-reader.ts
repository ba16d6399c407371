import type { CallRecord } from '@codelab/protocol';
import {
  type InboxEntry,
  judgedFacts,
  type LeasedSession,
  sessionRef,
  type SessionMeta,
  type SessionRef,
  type RuleSnapshot,
  toPolicyRules,
} from '@codelab/bus';
import { readKnowledge } from '@codelab/tools';
import { type KnownWorkspace, NOTHING_KNOWN } from '../prompt/told.js';
import { needsRecords, reviewsQuestions } from '../turn/turn-times.js';
import { PendingInbox } from './pending-inbox.js';
import type { RuntimePorts } from './runtime-ports.js';
import { NO_TOOLS } from '../server-tools/join-sources.js';
import { type SessionFacts, toFacts } from './session-facts.js';
import { tightenFacts } from '../tasks/tighten-facts.js';
import type { StepInputs } from '../turn/step-context.js';
import { StepWatch } from './step-watch.js';
import { type SessionState, stepOf, usesOf } from '../turn/turn-state.js';

const NO_FACTS = { first: '', latest: '' } as const;

/** The session was removed while it was held. */
export class SessionGone extends Error {
  override readonly name = 'SessionGone';
}

/**
 * What a held session knows of the world, and reads when it has to: on the hot path of a tool result nothing, since the announcement
 * brought it. What was read when the lease was taken counts until the first commit.
 */
export class InputReader {
  readonly inbox: PendingInbox;
  readonly watch = new StepWatch();
  /** As strict as its parent is now, where it has one. */
  facts: SessionFacts;
  /** Of the session alone. */
  private ownFacts: SessionFacts;
  /** The facts as a commit compares them. */
  private factsText: string;
  private factsAreOld = false;
  /** What is known of the workspace, and the digest that it was read by. */
  private known: { readonly digest: string; readonly knowledge: KnownWorkspace } = { digest: '', knowledge: NOTHING_KNOWN };
  /** Facts whose knowledge is still to be read. */
  private unread: SessionMeta | undefined;
  private leasedRecords: readonly CallRecord[] | undefined;
  private orphanTurnId: string | undefined;
  private rules: RuleSnapshot | undefined;
  private readonly ref: SessionRef;
  /** Whose rules calls are judged by, and whose workspace it is: those made in the parent hold for its children. */
  private readonly rulesRef: SessionRef;

  constructor(
    private readonly ports: RuntimePorts,
    { meta, calls, inbox }: LeasedSession,
    state: SessionState,
  ) {
    this.ref = meta.ref;
    this.rulesRef = meta.child === undefined ? meta.ref : sessionRef(meta.ref.owner, meta.child.parent);
    this.inbox = new PendingInbox(meta.inboxDone, inbox);
    this.facts = this.ownFacts = toFacts(meta);
    this.unread = meta;
    this.factsText = judgedFacts(meta);
    this.leasedRecords = calls;
    const begins = inbox.some((entry) => entry.kind === 'message' && !entry.steered && entry.turnId === meta.turnId);
    this.orphanTurnId = meta.turnId === '' || meta.turnId === state.turn?.turnId || begins ? undefined : meta.turnId;
    this.watch.follow(state, ports.clock.now(), true);
  }

  /** Everything that the next step depends on. Throws `BusError` while Redis is away. */
  async read(state: SessionState): Promise<StepInputs> {
    const { store, clock } = this.ports;
    const { inbox, watch } = this;
    if (inbox.isBehind) await inbox.catchUp((after) => store.readInbox(this.ref.sid, after));
    const { entries } = inbox;
    const reviews = reviewsQuestions(state, entries, clock.now());
    if (reviews) this.rules = undefined; // not those that are kept until a commit compares them
    const judges = reviews || judgesCalls(state, entries);
    const [rules] = await Promise.all([judges ? this.readRules() : undefined, this.refreshFacts(state, entries)]);
    if (judges && this.rulesRef !== this.ref) await this.heedParent();
    const looksAtCalls = this.leasedRecords === undefined && needsRecords(state, entries, clock.now());
    const records = looksAtCalls ? await store.readCalls(this.ref.sid) : this.leasedRecords;
    const step = await this.readStep(state, entries);
    const nowMs = clock.now();
    return {
      nowMs,
      entries,
      inboxDone: inbox.consumed,
      deltas: watch.take(nowMs),
      ...step,
      rules: rules && toPolicyRules(rules.rules, this.facts.workspace?.id ?? ''),
      reviews,
      records,
      orphanTurnId: this.orphanTurnId,
    };
  }

  /** What calls are judged by, for the commit to compare. Rules without a version were read for this step. */
  get judgedBy(): { readonly facts: string; readonly rules?: { readonly session: SessionRef; readonly version: string } } {
    const version = this.rules?.version;
    return { facts: this.factsText, rules: version === undefined ? undefined : { session: this.rulesRef, version } };
  }

  /** A commit says that calls were judged by what holds no longer. */
  forgetJudgement(): void {
    this.rules = undefined;
    this.factsAreOld = true;
  }

  /** When something has to be read by itself. */
  readAt(state: SessionState): number | undefined {
    const step = stepOf(state.turn);
    return step === undefined ? undefined : this.watch.readAt(step);
  }

  /** A commit has succeeded: what was read before it is no longer the last word. */
  forgetLeased(): void {
    this.leasedRecords = undefined;
    this.orphanTurnId = undefined;
  }

  /** Each call is judged by the rules of its moment, so that a revoked one is gone at once: they are read, or compared by the commit (H1). */
  private async readRules(): Promise<RuleSnapshot> {
    if (this.rules?.version === undefined) this.rules = await this.ports.rules.snapshot(this.rulesRef);
    return this.rules;
  }

  /** Each call is judged by what the parent is set to at its moment, too. It lies in another slot, so no commit compares it. */
  private async heedParent(): Promise<void> {
    const parent = await this.ports.store.readMeta(this.rulesRef);
    if (parent !== undefined) this.facts = tightenFacts(this.ownFacts, parent);
  }

  /** They are read again for a turn that begins, for another executor, for a decision, which may end the mode `plan`, and where a commit found them changed. */
  private async refreshFacts(state: SessionState, entries: readonly InboxEntry[]): Promise<void> {
    const asks = ({ kind }: InboxEntry): boolean =>
      kind === 'executor' || kind === 'decision' || (kind === 'message' && state.turn === undefined);
    if (!this.factsAreOld && (this.leasedRecords !== undefined || !entries.some(asks))) return this.readKnowledge();
    const meta = await this.ports.store.readMeta(this.ref);
    if (meta === undefined) throw new SessionGone(`the session ${this.ref.sid} was removed`);
    this.unread = meta;
    this.factsText = judgedFacts(meta);
    this.factsAreOld = false;
    await this.readKnowledge();
  }

  /** What the executor says only where it has changed: it is as long as the instructions of a project. What tools the servers have, each time. */
  private async readKnowledge(): Promise<void> {
    const meta = this.unread;
    if (meta === undefined) return;
    if (meta.facts !== this.known.digest) {
      const { first, latest } = meta.child?.origin === 'proxy' ? NO_FACTS : await this.ports.store.readFacts(this.rulesRef);
      const knowledge = first === '' && latest === '' ? NOTHING_KNOWN : { first: readKnowledge(first), latest: readKnowledge(latest) };
      this.known = { digest: meta.facts, knowledge };
    }
    const serverTools = (await this.ports.serverTools?.list(this.rulesRef)) ?? NO_TOOLS;
    this.facts = this.ownFacts = toFacts(meta, this.known.knowledge, serverTools);
    this.unread = undefined;
  }

  private async readStep(state: SessionState, entries: readonly InboxEntry[]): Promise<Pick<StepInputs, 'reading' | 'lostStepId'>> {
    const step = stepOf(state.turn);
    const { clock, models } = this.ports;
    if (step === undefined || !this.watch.isDue(step, clock.now())) return {};
    const { stepId } = step;
    const isQuiet = this.watch.isQuiet(clock.now());
    const reading = await models.readStep(this.ref.sid, stepId);
    this.watch.wasRead(clock.now());
    if (reading === undefined) return { lostStepId: stepId };
    const isOver = reading.state === 'answered' || reading.state === 'failed';
    if (isOver && !entries.some((entry) => 'stepId' in entry && entry.stepId === stepId)) this.inbox.isBehind = true;
    // A store that was set back may have the claim of a consumer and no entry that another would find it by; who is at work is not disturbed.
    if (reading.state === 'requested' || (reading.state === 'running' && isQuiet)) await models.announce(this.ref.sid, stepId);
    return { reading: { ...reading, stepId } };
  }
}

/** Calls are made by an answer, and later by rows of a vocabulary. */
const judgesCalls = ({ turn }: SessionState, entries: readonly InboxEntry[]): boolean =>
  entries.some(({ kind }) => kind === 'answer') ||
  (turn !== undefined && usesOf(turn).some(({ row }) => row !== undefined && row.end === undefined));
