import { SERVER_EXECUTOR, type StepAnswer } from '@codelab/bus';
import { JsonText, LIMITS } from '@codelab/protocol';
import { isCanonicalTool, isJsonObject, parseArguments, type PolicyDecision, type ToolDefinition } from '@codelab/tools';
import { type CallResult, syntheticResult } from './call-result.js';
import { type Judged, judgeCall } from './judge-call.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { firstCheckAt } from './check-call.js';
import { findMode } from '../model/agent-modes.js';
import { findOffered, type Offered, shownNames } from '../model/offered-tools.js';
import { MARGIN_OF_FRAME_BYTES } from '../turn/runtime-limits.js';
import { toApproval } from './to-approval.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { Call, HandedOverCall, SettledCall } from '../turn/turn-state.js';

type Requested = StepAnswer['toolCalls'][number];

/** A call as it goes into the history: the arguments are an object, whatever the model wrote. */
export interface OpenedCall {
  readonly call: Call;
  readonly toolName: string;
  readonly argumentsText: string;
}

/** Its own schema judges a client's own tool, at the client: a schema from outside is not run here. */
const anyObject = (tool: ToolDefinition): ToolDefinition => (isCanonicalTool(tool.name) ? tool : { ...tool, parameters: ANY_OBJECT });
const ANY_OBJECT = { type: 'object' } as const;

const MAX_ARGUMENT_BYTES = LIMITS.MAX_FRAME_BYTES - MARGIN_OF_FRAME_BYTES;

/**
 * Opens one call of an answer: names it, checks its arguments, judges it (H1) and describes it by a frame, its digest (H2) and a record
 * that outlives every process (R4). A call that must not run is not sent to anybody: its result stands at once (R5).
 */
export function openCall(builder: StepBuilder, requested: Requested, callId: string): OpenedCall {
  const { facts } = builder.context;
  const { agent } = builder.runningTurn;
  const offered = findOffered(facts, agent, requested.name);
  if (offered?.by === 'caller') return handOver(requested, callId);
  if (offered === undefined) {
    const names = shownNames(facts, agent);
    const known = names.length === 0 ? 'There are none.' : `They are: ${names.join(', ')}.`;
    const toolName = facts.vocabulary.toCanonical(requested.name) ?? requested.name;
    const message = `There is no tool ${JSON.stringify(requested.name.slice(0, 64))} here. ${known}`;
    return refuse(requested, callId, toolName, syntheticResult('TOOL_NOT_FOUND', message));
  }
  const { tool } = offered;
  const refused = (result: CallResult): OpenedCall => refuse(requested, callId, tool.name, result);
  const parsed = parseArguments(anyObject(tool), requested.arguments);
  if (!parsed.ok) return refused(syntheticResult(parsed.code, parsed.message));
  if (Buffer.byteLength(parsed.text) > MAX_ARGUMENT_BYTES) {
    return refused(syntheticResult('INVALID_ARGUMENTS', `The arguments of ${tool.name} are over the limit of a frame. Send less at once.`));
  }
  const judged = judgeCall(builder, callId, tool, parsed.args);
  const { decision } = judged;
  if (decision.kind === 'deny') return refused(syntheticResult('DENIED_BY_POLICY', `This call is not allowed: ${decision.reason}.`));
  const call = sendCall(builder, callId, offered, { ...judged, decision, text: parsed.text });
  return { toolName: tool.name, argumentsText: parsed.text, call };
}

/** A call that only the program can run, with the arguments as the model wrote them. */
export const handOver = ({ name, arguments: argumentsText }: Requested, callId: string): OpenedCall => {
  const call: HandedOverCall = { callId, toolName: name, deadlineMs: 0, human: false, state: 'handed_over' };
  return { toolName: name, argumentsText: argumentsText === '' ? '{}' : argumentsText, call };
};

/** A call that nobody runs, with the result that says why. */
export const refusedCall = (callId: string, toolName: string, result: CallResult): SettledCall => ({
  ...{ callId, toolName, deadlineMs: 0, human: false, state: 'settled', closed: true },
  result,
});

const refuse = (requested: Requested, callId: string, toolName: string, result: CallResult): OpenedCall => ({
  toolName,
  argumentsText: objectText(requested.arguments),
  call: refusedCall(callId, toolName, result),
});

const objectText = (text: string): string => {
  try {
    return isJsonObject(JSON.parse(text)) ? text : '{}';
  } catch {
    return '{}'; // what was wrong with it is in the result
  }
};

interface Sent extends Judged<Exclude<PolicyDecision, { kind: 'deny' }>> {
  /** The arguments. */
  readonly text: string;
}

/** A human should read that it is not their own agent that asks. */
const named = (decision: Extract<PolicyDecision, { kind: 'ask' }>, { program }: SessionFacts): typeof decision =>
  program === undefined ? decision : { ...decision, reason: `a program asks, through llm-proxy: ${decision.reason}` };

const sendCall = (
  builder: StepBuilder,
  callId: string,
  { by, tool }: Exclude<Offered, { by: 'caller' }>,
  { decision, digest, target, text }: Sent,
): Call => {
  const { facts, limits } = builder.context;
  const asked = decision.kind === 'ask';
  const operands = decision.kind === 'allow' ? (decision.operands ?? []) : [];
  const bound = operands.length > 0;
  const state = asked ? 'waiting_approval' : 'ready';
  const deadlineMs = Math.max(tool.deadlineMs, LIMITS.MIN_DEADLINE_MS);
  const expiresAtMs = asked && limits.approvalTimeoutMs > 0 ? builder.nowMs + limits.approvalTimeoutMs : 0;
  const frame = builder.say({
    type: 'tool_call',
    call_id: callId,
    tool_name: tool.name,
    args: new JsonText(text),
    requires_approval: asked,
    args_sha256: digest,
    fence: 1,
    deadline_ms: deadlineMs,
    idempotency: tool.idempotency,
    state,
    operands: bound ? [...operands] : undefined,
    approval: asked ? toApproval(named(decision, facts), expiresAtMs) : undefined,
    origin: facts.program && 'proxy',
    runs_at: by === 'server' ? 'server' : undefined,
  });
  builder.calls.push({
    kind: 'open',
    call: {
      callId,
      toolName: tool.name,
      idempotency: tool.idempotency,
      deadlineMs,
      frame,
      state,
      argsSha256: digest,
      fence: 1,
      expiresAtMs,
      target,
      agent: findMode(builder.runningTurn.agent).name,
      givenTo: by === 'server' ? SERVER_EXECUTOR : '',
    },
  });
  builder.sayStatus(callId, tool.name, asked ? 'waiting_approval' : 'calling');
  const head = { callId, toolName: tool.name, idempotency: tool.idempotency, deadlineMs, argsSha256: digest, fence: 1, frame };
  const call = { ...head, asked, askedAnew: 0, human: asked || tool.group === 'user' };
  if (asked) return { ...call, state: 'waiting_approval', expiresAtMs };
  const readyAtMs = builder.nowMs;
  const checkAtMs = firstCheckAt(call, readyAtMs, facts);
  return { ...call, state: 'ready', readyAtMs, checkAtMs, givenAtMs: 0, stoppedAtMs: 0, bound: bound || undefined };
};
