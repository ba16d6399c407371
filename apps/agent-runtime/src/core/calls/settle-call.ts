import { type CallResult, type StandardCode, standardResult } from './call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { MAX_NOTE_UNITS, MAX_REPORTED } from '../turn/runtime-limits.js';
import { decodeServerFrame } from '@codelab/protocol';
import { auditTarget, findTool, isJsonObject, withoutAdditions } from '@codelab/tools';
import type { ToolItem } from '@codelab/llm';
import { statusOfResult } from './status-of-result.js';
import { rowOfUse } from '../uses/row-of-use.js';
import { callsOf, type OpenCall, type ReportedCall, type SettledCall, type Use, type UseEnd, usesOf } from '../turn/turn-state.js';

/**
 * Gives a call its result. A result that is made up here closes the call's record at once, so that a true one that comes later is known
 * to be late (R2).
 */
export function settleCall(builder: StepBuilder, call: OpenCall, result: CallResult): void {
  const { callId, toolName, human, deadlineMs } = call;
  const edited = call.state === 'ready' ? call.edited : undefined;
  if (result.synthetic) builder.calls.push({ kind: 'close', callId, synthetic: true });
  const { frame } = call;
  const asked = call.asked || undefined;
  builder.putCall({ callId, toolName, human, deadlineMs, state: 'settled', result, closed: result.synthetic, edited, asked, frame });
  if (result.synthetic) reportCall(builder, { callId, toolName, edited });
  const { status, error } = statusOfResult(toolName, result);
  builder.sayStatus(callId, toolName, status, error);
  builder.events.push({ kind: 'call_settled', callId, toolName, outcome: result.outcome });
}

const reportCall = (builder: StepBuilder, { callId, toolName, edited }: Omit<ReportedCall, 'turnId'>): void => {
  const { turnId } = builder.runningTurn;
  const ofRow = usesOf(builder.runningTurn).some((use) => use.row !== undefined && use.callIds.includes(callId)) || undefined;
  const others = builder.state.reported.filter((call) => call.callId !== callId);
  const isSmall = edited !== undefined && edited.length <= MAX_NOTE_UNITS;
  const reported = { callId, turnId, toolName, edited: isSmall ? edited : undefined, ofRow };
  builder.state = { ...builder.state, reported: [...others, reported].slice(-MAX_REPORTED) };
};

/** What an open call acts on, for the audit trail; '' where its record is gone. */
export function targetOf(call: Pick<OpenCall, 'toolName' | 'frame'>): string {
  const frame = decodeServerFrame(call.frame);
  const args = frame?.type === 'tool_call' ? frame.args.parse() : undefined;
  return isJsonObject(args) ? auditTarget(call.toolName, args) : '';
}

/**
 * Ends a call that nobody will answer, in the words that are always said for it. A question about it is taken back: every approver is told,
 * and the audit trail.
 */
export function giveUpCall(builder: StepBuilder, call: OpenCall, code: StandardCode): void {
  if (call.state === 'waiting_approval') {
    const outcome = code === 'APPROVAL_TIMED_OUT' ? 'expired' : 'cancelled';
    const { callId: call_id, argsSha256: args_sha256 } = call;
    const by = outcome === 'expired' ? 'policy' : builder.context.facts.sub;
    builder.record(call, { outcome, by, target: targetOf(call) });
    builder.say({ type: 'approval_resolved', call_id, outcome, args_sha256, by, at_ms: builder.nowMs });
  }
  settleCall(builder, call, standardResult(code));
}

/**
 * Puts the results of an answer into the history, one for each call and in the order of the calls, and closes what is still open (R5). A call
 * that is handed over gets its result elsewhere; no model is asked here any more.
 */
export function writeResults(builder: StepBuilder): void {
  const turn = builder.runningTurn;
  for (const use of usesOf(turn)) {
    const result = resultOf(builder, use);
    if (result !== undefined) builder.remember({ role: 'tool', turn_id: turn.turnId, call_id: use.useId, ...result, at_ms: builder.nowMs });
  }
  for (const call of callsOf(turn)) {
    if (call.state === 'handed_over') continue;
    if (call.state !== 'settled') throw new Error(`the call ${call.callId} has no result to write`);
    if (!call.closed) builder.calls.push({ kind: 'close', callId: call.callId, synthetic: call.result.synthetic });
  }
}

type WrittenResult = Pick<ToolItem, 'tool_name' | 'content' | 'is_error' | 'edited_arguments' | 'images' | 'items'>;

/** The result of a use as the history keeps it. One that was stopped between two of its calls did not run. */
const resultOf = (builder: StepBuilder, { callIds, row }: Use): WrittenResult | undefined => {
  const last = builder.findCall(callIds.at(-1) ?? '');
  if (row === undefined) {
    if (last?.state !== 'settled') return undefined;
    const { toolName, result, edited } = last;
    return { tool_name: toolName, content: inSeedShape(builder, last), is_error: result.isError, edited_arguments: edited };
  }
  const tool_name = rowOfUse(builder.runningTurn, row)?.stands ?? row.name;
  const edited_arguments = row.own !== undefined && last?.state === 'settled' ? last.edited : undefined;
  if (row.end !== undefined) {
    const { text: content, isError: is_error, items } = row.end;
    return { tool_name, content, is_error, edited_arguments, images: toImages(row.end), items };
  }
  const { content } = last?.state === 'settled' && last.result.isError ? last.result : standardResult('CANCELLED');
  return { tool_name, content, is_error: true, edited_arguments };
};

/** A result as the specification has it, which is what a model reads that makes the call itself; version 2.1 may have added to it. */
const inSeedShape = ({ context: { facts } }: StepBuilder, { toolName, result }: SettledCall): string => {
  const tool = result.isError || !facts.capabilitiesOfExecutor.has('x1') ? undefined : findTool(toolName);
  return tool?.additions === undefined ? result.content : JSON.stringify(withoutAdditions(tool, JSON.parse(result.content)));
};

const toImages = ({ images }: UseEnd): ToolItem['images'] => images?.map(({ mediaType, data }) => ({ media_type: mediaType, data }));
