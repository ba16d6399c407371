import type { Clock } from '@codelab/clock';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ClientSession } from '../calls/client-session.js';
import { askConsoles } from '../consoles/ask-consoles.js';
import { readConsoleAnswer, readConsoleDecision } from '../consoles/console-wire.js';
import { approvalForm, questionForm, readAnswer, readDecision, type FormResult } from './approval-form.js';
import type { ApprovalQuestion, Decision, Unanswered, UserAnswer, UserQuestion } from './decision.js';
import { OpenQuestions, type OpenQuestion } from './open-questions.js';

/**
 * Who decides what is asked. `ask`: the human, by a form of the other program where it has forms, else at a console of the workspace. `console`:
 * at a console only, for programs that might fill in their forms themselves. `all` approves everything, a rule that the human made by starting
 * the server with it. `none`: nobody.
 */
export type ApproveMode = 'ask' | 'console' | 'all' | 'none';

/** Where humans are found. */
export interface HumanPorts {
  readonly approve: ApproveMode;
  /** Of the consoles of the workspace. */
  readonly consoles: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A question that the other program has to carry: its call is answered by calling again. */
export interface NextRound {
  readonly kind: 'round';
  readonly result: InputRequiredResult;
}

/** One request of the other program, as far as asking is concerned. */
export interface Asker {
  readonly ctx: ServerContext;
  readonly session: ClientSession;
  /** What it declared on its connection, where its requests don't say it. */
  readonly capabilities: ClientCapabilities | undefined;
}

const FORM = 'answer';

/** How often a call that waits says so, in milliseconds: clients give up what says nothing for a minute. */
export const WAITING_MS = 15_000;

/** Finds a human for a question, and reads what came of it (H1, H3). */
export class Human {
  private readonly open: OpenQuestions;

  constructor(private readonly ports: HumanPorts) {
    this.open = new OpenQuestions(ports.clock, ports.timeoutMs);
  }

  /** Asks about a call. */
  async decide(question: ApprovalQuestion, asker: Asker): Promise<Decision | NextRound> {
    const { approve } = this.ports;
    if (approve === 'all') return { kind: 'approved' };
    if (approve === 'none') return { kind: 'nobody' };
    const canRemember = asker.session.isOne;
    if (this.hasForms(asker)) {
      const form = approvalForm(question, canRemember);
      if (asker.session.era === 'modern') return this.nextRound({ kind: 'approval', question }, form, asker);
      const result = await this.push(form, asker);
      return 'action' in result ? readDecision(result, question, canRemember) : result;
    }
    const { signal } = asker.ctx.mcpReq;
    return this.atConsoles({ kind: 'approval', ...question }, (line) => readConsoleDecision(line, question), signal);
  }

  /** Asks what the model wants to know. `all` answers with the first action. */
  async answer(question: UserQuestion, argsSha256: string, asker: Asker): Promise<UserAnswer | NextRound> {
    const { approve } = this.ports;
    if (approve === 'all') return { kind: 'answered', action: question.actions[0]! };
    if (approve === 'none') return { kind: 'nobody' };
    if (this.hasForms(asker)) {
      const form = questionForm(question);
      if (asker.session.era === 'modern') return this.nextRound({ kind: 'user', question, argsSha256 }, form, asker);
      const result = await this.push(form, asker);
      return 'action' in result ? readAnswer(result, question) : result;
    }
    return this.atConsoles({ kind: 'question', ...question }, (line) => readConsoleAnswer(line, question), asker.ctx.mcpReq.signal);
  }

  /** What a form that came back decides. */
  read(question: ApprovalQuestion, form: FormResult, { session }: Asker): Decision {
    return readDecision(form, question, session.isOne);
  }

  /** What it answers. */
  readAnswer(question: UserQuestion, form: FormResult): UserAnswer {
    return readAnswer(form, question);
  }

  /** The question that a call comes back with, and its form; a name that is unknown, used or too old has none. */
  returned({ ctx, session }: Asker): { readonly open: OpenQuestion | undefined; readonly form: FormResult } | undefined {
    const name = ctx.mcpReq.requestState<string>();
    if (typeof name !== 'string') return undefined;
    const form = ctx.mcpReq.inputResponses?.[FORM] as FormResult | undefined; // untrusted: read field by field
    const isForm = typeof form === 'object' && form !== null && typeof form.action === 'string';
    return { open: this.open.take(name, session.id), form: isForm ? form : { action: 'cancel' } };
  }

  private hasForms({ ctx, capabilities }: Asker): boolean {
    const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined; // of 2026-07-28, checked by the SDK
    const ofRequest = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    const declared = (ofRequest ?? capabilities)?.elicitation;
    if (this.ports.approve === 'console' || declared === undefined) return false;
    return declared.form !== undefined || !('url' in declared); // an empty object means forms
  }

  private nextRound(open: OpenQuestion, form: ElicitRequestFormParams, { session }: Asker): NextRound {
    const inputRequests = { [FORM]: inputRequired.elicit(form) };
    return { kind: 'round', result: inputRequired({ inputRequests, requestState: this.open.add(open, session.id) }) };
  }

  /** Puts a form while the call runs, as programs of 2025 take it. */
  private async push(form: ElicitRequestFormParams, { ctx }: Asker): Promise<FormResult | Unanswered> {
    const { clock, timeoutMs } = this.ports;
    const late = new AbortController();
    const callOff = clock.after(timeoutMs, () => late.abort());
    const signal = AbortSignal.any([ctx.mcpReq.signal, late.signal]);
    try {
      const result = await ctx.mcpReq.send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: timeoutMs * 2 });
      return result;
    } catch {
      if (late.signal.aborted) return { kind: 'timed_out' };
      return { kind: ctx.mcpReq.signal.aborted ? 'dismissed' : 'disconnected' };
    } finally {
      callOff();
    }
  }

  private atConsoles<T>(
    question: Parameters<typeof askConsoles<T>>[0]['question'],
    read: (line: string) => T,
    signal: AbortSignal,
  ): Promise<T | Unanswered> {
    const { consoles: folder, timeoutMs, clock } = this.ports;
    return askConsoles({ folder, question, read, signal, timeoutMs, clock });
  }
}
