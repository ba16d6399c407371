import { listLocalRules, holdsAt, type LocalPolicy } from '@codelab/client';
import type { Clock } from '@codelab/clock';
import type { Operand } from '@codelab/protocol';
import { argsDigest, canonicalJson, findArgumentFault, isJsonObject, type JsonObject } from '@codelab/tools';
import { readAllowedSecrets, type ToolOutcome, type Workspace } from '@codelab/workspace';
import { ProtocolError, ProtocolErrorCode, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import {
  faultOf,
  faultOfAnswer,
  type ApprovalQuestion,
  type CallFault,
  type Decision,
  type UserAnswer,
  type UserQuestion,
} from '../approvals/decision.js';
import type { Human } from '../approvals/human.js';
import { WAITING_MS, type Asker, type NextRound } from '../approvals/human.js';
import type { OfferedTool } from '../tools/offered-tools.js';
import { placeOf } from './client-session.js';
import { judgeCall, type Verdict } from './judge-call.js';
import { LiveOutput } from './live-output.js';
import { runCall } from './run-call.js';
import { toErrorResult, toToolResult, type Masking } from './to-result.js';
import type { WriteTurns } from './write-turns.js';

/** What calls need of the workspace and of its person. */
export interface CallPorts {
  readonly workspace: Pick<Workspace, 'run' | 'preview' | 'findDoubt'>;
  readonly workspaceId: string;
  readonly dataDir: string;
  /** How much is asked: a session's `mode`. */
  readonly mode: string;
  readonly localPolicy: LocalPolicy;
  readonly human: Human;
  readonly turns: WriteTurns;
  readonly clock: Clock;
  /** Secrets that are masked whatever their shape. */
  readonly known: readonly string[];
  /** Hears of each call when it has ended; no arguments, no content. */
  readonly onEnded?: (call: { readonly tool: string; readonly outcome: string; readonly ms: number }) => void;
  readonly onProblem: (message: string) => void;
}

type Answer = CallToolResult | InputRequiredResult;

/** One call on its way. */
interface Call {
  readonly callId: string;
  readonly tool: OfferedTool;
  readonly args: JsonObject;
  readonly argsSha256: string;
  readonly client: string;
  readonly asker: Asker;
  readonly output: LiveOutput;
  readonly masking: Masking;
}

/** Takes calls of other programs to their end: judged, asked about, bound to what was decided on, run, masked (H1, H2, L1). */
export class CallServer {
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly ports: CallPorts) {}

  /** Answers one `tools/call`. */
  async serve(tool: OfferedTool, given: unknown, client: string, asker: Asker): Promise<Answer> {
    const { clock, dataDir, known, onProblem } = this.ports;
    const allowed = await readAllowedSecrets(dataDir).catch((error: Error) => {
      onProblem(error.message);
      return new Set<string>();
    });
    const masking = { allowed, known };
    const args = given ?? {};
    if (!isJsonObject(args)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'arguments must be an object');
    const fault = findArgumentFault(tool.definition, args);
    if (fault !== undefined) return toErrorResult({ code: 'INVALID_ARGUMENTS', message: fault }, masking);
    const output = new LiveOutput({ ctx: asker.ctx, toolName: tool.listed.name, clock, ...masking });
    const call = { callId: `mcp_${randomUUID()}`, tool, args, argsSha256: argsDigest(args), client, asker, output, masking };
    const startedAtMs = clock.now();
    const answer = this.answerWhole(call);
    this.running.add(answer);
    try {
      const done = await answer;
      this.ports.onEnded?.({ tool: tool.definition.name, outcome: outcomeOf(done), ms: clock.now() - startedAtMs });
      return done;
    } finally {
      this.running.delete(answer);
    }
  }

  /** Resolves when no call runs any more. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** The answer, when all output of the call is out. */
  private async answerWhole(call: Call): Promise<Answer> {
    try {
      return await this.answer(call);
    } finally {
      await call.output.end();
    }
  }

  private async answer(call: Call): Promise<Answer> {
    const returned = this.ports.human.returned(call.asker);
    if (call.tool.definition.name === 'prompt_user') return this.promptUser(call, returned);
    if (returned === undefined) return this.judge(call);
    const { open, form } = returned;
    if (open === undefined) return this.fail(call, faultOf({ kind: 'timed_out' }));
    if (open.kind !== 'approval' || open.question.argsSha256 !== call.argsSha256 || open.question.toolName !== call.tool.definition.name)
      return this.fail(call, MISMATCH);
    const decision = this.ports.human.read(open.question, form, call.asker);
    const verdict = await this.judgeArguments(call);
    if (verdict.kind === 'deny') return this.deny(call, verdict.reason);
    return this.settle({ ...call, callId: open.question.callId }, open.question, decision);
  }

  private async judge(call: Call): Promise<Answer> {
    const verdict = await this.judgeArguments(call);
    if (verdict.kind === 'deny') return this.deny(call, verdict.reason);
    if (verdict.kind === 'ask') return this.ask(call, verdict);
    const { workspace } = this.ports;
    const { tool, args, asker } = call;
    const doubt =
      (await this.findChanged(call, verdict.operands)) ??
      (await workspace.findDoubt(tool.definition.name, args, asker.ctx.mcpReq.signal, verdict.byRule));
    if (doubt !== undefined) return this.ask(call, { kind: 'ask', reason: doubt, risk: 'medium', proposals: [] });
    return this.run(call, verdict.byRule, verdict.operands);
  }

  private judgeArguments({ tool, args, asker }: Call): Promise<Verdict> {
    const { mode, localPolicy, clock, dataDir, workspaceId } = this.ports;
    const place = placeOf(asker.session, workspaceId);
    const rules: Parameters<typeof judgeCall>[3]['rules'] = async (at) =>
      (await listLocalRules(dataDir)).filter((rule) => holdsAt(rule, at));
    return judgeCall(tool.definition.name, args, place, { mode, rules, localPolicy, now: () => clock.now() });
  }

  /** The file that a rule was made for and that has another content by now. */
  private async findChanged({ tool, args, asker }: Call, ofRule: readonly Operand[]): Promise<string | undefined> {
    if (ofRule.length === 0) return undefined;
    const { operands } = await this.ports.workspace.preview(tool.definition.name, args, asker.session.id);
    const now = new Map(operands.map(({ path, sha256 }) => [path, sha256]));
    const changed = ofRule.find(({ path, sha256 }) => now.has(path) && now.get(path) !== sha256)?.path;
    return changed && `it was allowed while ${changed} had another content`;
  }

  private async ask(call: Call, { reason, risk, proposals }: Extract<Verdict, { kind: 'ask' }>): Promise<Answer> {
    const { callId, tool, args, argsSha256, client, asker } = call;
    const { name } = tool.definition;
    const { preview, operands, fault } = await this.ports.workspace.preview(name, args, asker.session.id);
    if (fault !== undefined) return this.fail(call, fault);
    const question: ApprovalQuestion = {
      ...{ callId, toolName: name, title: tool.title, argsText: canonicalJson(args), argsSha256 },
      ...{ reason, risk, proposals, preview, operands, client },
    };
    const decision = await this.whileWaiting(call, () => this.ports.human.decide(question, asker));
    return decision.kind === 'round' ? decision.result : this.settle(call, question, decision);
  }

  /** Carries a decision out, with the files as they were shown (H2). */
  private async settle(call: Call, question: ApprovalQuestion, decision: Decision): Promise<Answer> {
    if (decision.kind === 'approved' || decision.kind === 'rejected') await this.remember(call, question, decision);
    if (decision.kind !== 'approved') return this.fail(call, faultOf(decision));
    return this.run(call, true, question.operands);
  }

  private async remember(
    { asker }: Call,
    { operands }: ApprovalQuestion,
    { kind, remember }: Extract<Decision, { kind: 'approved' | 'rejected' }>,
  ): Promise<void> {
    if (remember === undefined) return;
    const { localPolicy, workspaceId, onProblem } = this.ports;
    const decided = kind === 'approved' ? 'allow' : 'deny';
    try {
      await localPolicy.remember?.({ place: placeOf(asker.session, workspaceId), decided, remember, operands });
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error)); // the decision counts, it is only asked again
    }
  }

  private async run(call: Call, approved: boolean, operands: readonly Operand[]): Promise<Answer> {
    const { callId, tool, args, asker, output, masking } = call;
    const { signal } = asker.ctx.mcpReq;
    const run = { callId, sessionId: asker.session.id, tool: tool.definition, args, approved, operands, signal, onOutput: output.add };
    const outcome: ToolOutcome = await runCall(run, this.ports);
    return outcome.ok ? toToolResult(tool.definition.name, outcome.result, masking) : this.fail(call, outcome.error);
  }

  private async promptUser(call: Call, returned: ReturnType<Human['returned']>): Promise<Answer> {
    const { callId, args, argsSha256, client, asker } = call;
    const { human } = this.ports;
    let answer: UserAnswer | NextRound;
    if (returned === undefined) {
      const question = { callId, ...(args as Pick<UserQuestion, 'message' | 'actions'>), client }; // checked by the schema
      answer = await this.whileWaiting(call, () => human.answer(question, argsSha256, asker));
    } else if (returned.open === undefined) answer = { kind: 'timed_out' };
    else if (returned.open.kind !== 'user' || returned.open.argsSha256 !== argsSha256) return this.fail(call, MISMATCH);
    else answer = human.readAnswer(returned.open.question, returned.form);
    if (answer.kind === 'round') return answer.result;
    if (answer.kind !== 'answered') return this.fail(call, faultOfAnswer(answer));
    return toToolResult('prompt_user', { action: answer.action }, call.masking);
  }

  /** Tells the other program, as long as somebody is asked, that the call goes on. */
  private async whileWaiting<T>({ asker, output }: Call, wait: () => Promise<T>): Promise<T> {
    if (asker.ctx.mcpReq._meta?.progressToken === undefined) return wait();
    const { clock } = this.ports;
    let callOff = (): void => undefined;
    const tell = (): void => {
      callOff = clock.after(WAITING_MS, () => {
        output.note('waiting for the user');
        tell();
      });
    };
    tell();
    return wait().finally(() => callOff());
  }

  private deny(call: Call, reason: string): Answer {
    return this.fail(call, { code: 'DENIED_BY_POLICY', message: `The policy refuses this call: ${reason}.` });
  }

  private fail({ masking }: Call, fault: CallFault): CallToolResult {
    return toErrorResult(fault, masking);
  }
}

const MISMATCH: CallFault = {
  code: 'APPROVAL_MISMATCH',
  message: 'The answer belongs to another call than this one. Nothing was done.',
};

const outcomeOf = (answer: Answer): string => {
  if (!('content' in answer)) return 'asked';
  const [first] = (answer as CallToolResult).content;
  return answer.isError === true && first?.type === 'text' ? (/^Error \[(\w+)\]/.exec(first.text)?.[1] ?? 'error') : 'ok';
};
