import { SERVER_EXECUTOR, type StepAnswer } from '@codelab/bus';
import { JsonText, LIMITS, type ServerFrameOf } from '@codelab/protocol';
import {
  codelabVocabulary,
  isCanonicalTool,
  isJsonObject,
  type JsonObject,
  nearestNames,
  parseArguments,
  type ParsedArguments,
  PLAN_TOOL,
  type PolicyDecision,
  type ToolDefinition,
} from '@codelab/tools';
import type { CanonicalCall, Row } from '@codelab/vocabularies';
import { type CallResult, syntheticResult } from './call-result.js';
import { type Judged, judgeCall } from './judge-call.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { firstCheckAt } from './check-call.js';
import { findAgent } from '../model/agent-modes.js';
import { findOffered, shownNames } from '../model/offered-tools.js';
import { type OfferedTool, whoRuns } from '../model/who-runs.js';
import { MARGIN_OF_FRAME_BYTES } from '../turn/runtime-limits.js';
import { toApproval } from './to-approval.js';
import type { SessionFacts } from '../session/session-facts.js';
import { traceparentOf } from '../tracing/turn-trace.js';
import { TASK_TOOL } from '../tasks/task-tool.js';
import type { Call, HandedOverCall, RowUse, SettledCall } from '../turn/turn-state.js';
import { limitOf } from '../uses/tool-limits.js';

type Requested = StepAnswer['toolCalls'][number];

/** A call as it goes into the history: the arguments are an object, whatever the model wrote. */
interface OpenedCall {
  readonly call: Call;
  readonly toolName: string;
  readonly argumentsText: string;
}

/** Its own schema judges a client's own tool, at the client: a schema from outside is not run here. */
const anyObject = (tool: ToolDefinition): ToolDefinition =>
  isCanonicalTool(tool.name) || tool === PLAN_TOOL ? tool : { ...tool, parameters: ANY_OBJECT };
const ANY_OBJECT = { type: 'object' } as const;

/** Arguments of a tool from outside: one JSON object, which its own schema judges where it runs. */
export const readForeignArguments = (name: string, text: string): ParsedArguments => parseArguments({ ...TASK_TOOL, name }, text);

const MAX_ARGUMENT_BYTES = LIMITS.MAX_FRAME_BYTES - MARGIN_OF_FRAME_BYTES;

/**
 * Opens a call that a model makes itself: checks its arguments, judges it (H1) and describes it by a frame, its digest (H2) and a record
 * that outlives every process (R4). A call that must not run is not sent to anybody: its result stands at once (R5).
 */
export function openCall(builder: StepBuilder, requested: Requested, callId: string, offered: OfferedTool | undefined): OpenedCall {
  if (offered?.by === 'caller') return handOver(requested, callId);
  if (offered === undefined) return refuseUnknown(builder, requested, callId);
  const { tool } = offered;
  const refused = (result: CallResult): OpenedCall => refuse(requested, callId, tool.name, result);
  const parsed = parseArguments(anyObject(tool), requested.arguments);
  if (!parsed.ok) return refused(syntheticResult(parsed.code, parsed.message));
  const placed = placeCall(builder, callId, offered, { args: parsed.args, text: parsed.text });
  if (placed.state === 'settled') return refused(placed.result);
  return { toolName: tool.name, argumentsText: parsed.text, call: placed };
}

const PLANNING = 'This call is not allowed in plan mode: only read, until the user has accepted your plan.';

const refuseUnknown = (builder: StepBuilder, requested: Requested, callId: string): OpenedCall => {
  const { facts } = builder.context;
  const isHidden = facts.plans && findOffered({ ...facts, plans: false }, builder.runningTurn, requested.name) !== undefined;
  if (isHidden) return refuse(requested, callId, requested.name, syntheticResult('DENIED_BY_POLICY', PLANNING));
  const names = shownNames(facts, builder.runningTurn);
  const known = names.length === 0 ? 'There are none.' : `They are: ${names.join(', ')}.`;
  const [nearest] = nearestNames(requested.name, names, 1);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const message = `There is no tool ${JSON.stringify(requested.name.slice(0, 64))} here.${meant} ${known}`;
  return refuse(
    requested,
    callId,
    codelabVocabulary.toCanonical(requested.name) ?? requested.name,
    syntheticResult('TOOL_NOT_FOUND', message),
  );
};

/** A call that a row of the vocabulary makes. */
interface RowCall {
  readonly row: Row;
  readonly call: CanonicalCall;
  /** The first of its use: a use that repeats itself is found by it. */
  readonly isFirst: boolean;
  readonly use: RowUse;
}

/** Makes a call for a row: judged, described and recorded like one that a model makes itself. */
export function placeRowCall(builder: StepBuilder, callId: string, { row, call, isFirst, use }: RowCall): Call {
  const { tool: name, args } = call;
  const { facts } = builder.context;
  const offered = whoRuns(facts, name, use.own === undefined ? 'row' : 'model');
  if (offered === undefined) return refusedCall(callId, name, syntheticResult('TOOL_NOT_FOUND', `There is no ${name} any more.`));
  if (use.own !== undefined) return placeCall(builder, callId, offered, { args, text: use.args });
  const text = JSON.stringify(args);
  return placeCall(builder, callId, offered, { args, text, row, signature: isFirst ? `${use.name} ${use.args}` : undefined });
}

interface Placed {
  readonly args: JsonObject;
  /** The arguments, as they go out. */
  readonly text: string;
  readonly row?: Row;
  /** What a loop of a row's uses is found by. */
  readonly signature?: string;
}

const placeCall = (builder: StepBuilder, callId: string, offered: Exclude<OfferedTool, { by: 'caller' }>, placed: Placed): Call => {
  const { tool } = offered;
  if (Buffer.byteLength(placed.text) > MAX_ARGUMENT_BYTES) {
    const message = `The arguments of ${tool.name} are over the limit of a frame. Send less at once.`;
    return refusedCall(callId, tool.name, syntheticResult('INVALID_ARGUMENTS', message));
  }
  const judged = judgeCall(builder, callId, tool, placed);
  const { decision } = judged;
  if (decision.kind === 'deny') {
    return refusedCall(callId, tool.name, syntheticResult('DENIED_BY_POLICY', `This call is not allowed: ${decision.reason}.`));
  }
  return sendCall(builder, callId, offered, { ...judged, decision, text: placed.text, row: placed.row });
};

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

/** The text if it is a JSON object, else `{}`: what was wrong with it is in the result. */
export const objectText = (text: string): string => {
  try {
    return isJsonObject(JSON.parse(text)) ? text : '{}';
  } catch {
    return '{}';
  }
};

interface Sent extends Judged<Exclude<PolicyDecision, { kind: 'deny' }>> {
  /** The arguments. */
  readonly text: string;
  readonly row?: Row;
}

/** A human should read what the model called, and that it is not their own agent that asks. */
const named = (
  decision: Extract<PolicyDecision, { kind: 'ask' }>,
  { program, task, agent }: SessionFacts,
  row: Row | undefined,
): typeof decision => {
  const who = program !== undefined ? 'a program asks, through llm-proxy: ' : task !== undefined ? `the agent ${agent} asks: ` : '';
  const what = row === undefined ? '' : `${row.name}: `;
  return { ...decision, reason: `${who}${what}${decision.reason}` };
};

/** Whose call it is, if not one of the session's own agent. */
const originOf = ({ program, task }: SessionFacts): Pick<ServerFrameOf<'tool_call'>, 'origin' | 'task_call_id'> =>
  program !== undefined ? { origin: 'proxy' } : task !== undefined ? { origin: 'task', task_call_id: task.callId } : {};

const sendCall = (
  builder: StepBuilder,
  callId: string,
  { by, tool }: Exclude<OfferedTool, { by: 'caller' }>,
  { decision, digest, target, loop, text, row }: Sent,
): Call => {
  const { facts, limits } = builder.context;
  const asked = decision.kind === 'ask';
  const operands = decision.kind === 'allow' ? (decision.operands ?? []) : [];
  const bound = operands.length > 0;
  const state = asked ? 'waiting_approval' : 'ready';
  const names = row === undefined ? [tool.name] : [row.name, row.stands, tool.name];
  const deadlineMs = Math.max(limitOf(limits.tools, names)?.timeoutMs ?? tool.deadlineMs, LIMITS.MIN_DEADLINE_MS);
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
    approval: asked ? toApproval(named(decision, facts, row), expiresAtMs) : undefined,
    ...originOf(facts),
    runs_at: by === 'server' ? 'server' : undefined,
    traceparent: traceparentOf(builder.runningTurn.trace, callId),
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
      agent: findAgent(facts, builder.runningTurn.agent).name,
      givenTo: by === 'server' ? SERVER_EXECUTOR : '',
    },
  });
  builder.sayStatus(callId, tool.name, asked ? 'waiting_approval' : 'calling');
  const head = {
    callId,
    toolName: tool.name,
    idempotency: tool.idempotency,
    deadlineMs,
    argsSha256: digest,
    fence: 1,
    frame,
    openedAtMs: builder.nowMs,
  };
  const task = tool === TASK_TOOL || undefined;
  const server = (by === 'server' && task === undefined && tool !== PLAN_TOOL) || undefined;
  const call = { ...head, asked, askedAnew: 0, human: asked || tool.group === 'user' || task === true, task, server };
  if (asked) return { ...call, loop, state: 'waiting_approval', expiresAtMs };
  const readyAtMs = builder.nowMs;
  const checkAtMs = firstCheckAt(call, readyAtMs, facts);
  return { ...call, state: 'ready', readyAtMs, checkAtMs, givenAtMs: 0, stoppedAtMs: 0, bound: bound || undefined };
};
