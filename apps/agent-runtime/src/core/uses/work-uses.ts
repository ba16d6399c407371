import { findTool, isJsonObject, type JsonObject } from '@codelab/tools';
import { type Next, type Outcome, type Row, type UseResult } from '@codelab/vocabularies';
import { errorContent, type CallResult, standardResult } from '../calls/call-result.js';
import { placeRowCall } from '../calls/open-call.js';
import { handOverTurn } from '../turn/hand-over.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { decodeServerFrame } from '@codelab/protocol';
import { type Call, isOpen, type RowUse, type SettledCall, type Use, type UseEnd, usesOf } from '../turn/turn-state.js';
import { filesOf, isHeld } from './hold-use.js';
import { rowOfUse } from './row-of-use.js';
import { useContextOf } from './use-context.js';

/** A use that has made so many calls is going round in circles. */
const MAX_CALLS_PER_USE = 64;

/** Characters of what an editor says of one call. */
const MAX_FEEDBACK = 4_000;

/** What ends a use in the same words in every vocabulary: nobody let it run, or nobody knows whether it did. */
const FINAL: ReadonlySet<string> = new Set([
  'DENIED_BY_USER',
  'DENIED_BY_POLICY',
  'APPROVAL_TIMED_OUT',
  'CLIENT_DISCONNECTED',
  'OUTCOME_UNKNOWN',
  'CANCELLED',
  'TIMEOUT',
  'APPROVAL_MISMATCH',
]);

type WorkingUse = Use & { readonly row: RowUse };

/**
 * Lets each use of a row that waits for nothing make its next calls, or end, until all wait or have ended. Told by the state alone, so that a
 * runtime which takes over goes on from the stored outcomes.
 */
export function workUses(builder: StepBuilder): void {
  for (let use = nextUse(builder); use !== undefined; use = nextUse(builder)) work(builder, use);
}

const nextUse = (builder: StepBuilder): WorkingUse | undefined => {
  const { turn } = builder;
  if (turn === undefined) return undefined;
  return usesOf(turn).find((use): use is WorkingUse => {
    if (use.row === undefined || use.row.end !== undefined) return false;
    if (use.callIds.some((id) => isOpenCall(builder.findCall(id)))) return false;
    return use.callIds.length > 0 || builder.isCancelled || !isHeld(use, turn);
  });
};

const isOpenCall = (call: Call | undefined): boolean => call !== undefined && isOpen(call);

const work = (builder: StepBuilder, use: WorkingUse): void => {
  const calls = use.callIds.flatMap((id) => builder.findCall(id) ?? []).filter((call) => call.state === 'settled');
  const last = calls.at(-1);
  if (last !== undefined && FINAL.has(last.result.outcome)) return endByCall(builder, use, last.result);
  const row = rowOfUse(builder.runningTurn, use.row);
  if (row === undefined) return endUse(builder, use, toEnd(standardResult('OUTCOME_UNKNOWN')));
  const next = nextOf(builder, use, row, calls);
  if ('text' in next) return endByRow(builder, use, withFeedback(next, calls));
  if (builder.isCancelled) return endByCall(builder, use, standardResult('CANCELLED'));
  const wanted = 'call' in next ? [next.call] : next.calls;
  const made = wanted.map((call, place) => {
    const isFirst = use.callIds.length + place === 0;
    return placeRowCall(builder, isFirst ? use.useId : builder.context.newId('call'), { row, call, isFirst, use: use.row });
  });
  builder.putUse({ ...use, callIds: [...use.callIds, ...made.map(({ callId }) => callId)] }, made);
};

/** What the row does next. A fault of a row costs its use, never the turn. */
const nextOf = (builder: StepBuilder, use: WorkingUse, row: Row, calls: readonly SettledCall[]): Next => {
  if (use.callIds.length >= MAX_CALLS_PER_USE) return { text: errorContent('INTERNAL', `${use.row.name} came to no end.`), isError: true };
  try {
    const next = row.next(JSON.parse(use.row.args) as JsonObject, calls.map(toOutcome), useContextOf(builder));
    if ('calls' in next && next.calls.length === 0) throw new Error('no call to make');
    return next;
  } catch (cause) {
    builder.events.push({ kind: 'use_fault', useId: use.useId, name: use.row.name, cause });
    return { text: errorContent('INTERNAL', `A fault of the service ended this use of ${use.row.name}. Try another tool.`), isError: true };
  }
};

/** What the executor's editor adds to results, such as the problems that a change has made: the model reads it whatever the row says. */
const withFeedback = (end: UseResult, calls: readonly SettledCall[]): UseResult => {
  const said = end.isError === true ? [] : calls.flatMap(feedbackOf);
  return said.length === 0 ? end : { ...end, text: [end.text, ...said].join('\n\n').trimStart() };
};

const feedbackOf = ({ result: { isError, content } }: SettledCall): readonly string[] => {
  const { feedback } = isError ? {} : toObject(JSON.parse(content));
  return typeof feedback === 'string' && feedback !== '' ? [feedback.slice(0, MAX_FEEDBACK)] : [];
};

const toOutcome = (call: SettledCall): Outcome => {
  const { toolName, result, edited, asked = false } = call;
  const frame = decodeServerFrame(call.frame ?? '');
  const given = frame?.type === 'tool_call' ? frame.args.parse() : undefined;
  const tool = findTool(toolName)?.standsFor ?? toolName; // rows know nothing of editors
  const facts = { tool, args: toObject(given), asked, edited: edited === undefined ? undefined : toObject(JSON.parse(edited)) };
  if (!result.isError) return { ...facts, ok: true, result: toResult(JSON.parse(result.content)) };
  const { outcome: code, content } = result;
  const prefix = errorContent(code, '');
  return { ...facts, ok: false, code, message: content.startsWith(prefix) ? content.slice(prefix.length) : content };
};

/** Tools from outside may answer any JSON. */
const toResult = (value: unknown): JsonObject => (isJsonObject(value) ? value : ({ output: value } as JsonObject));

const toObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const toEnd = ({ content: text, isError, outcome }: Pick<CallResult, 'content' | 'isError' | 'outcome'>): UseEnd => ({
  text,
  isError,
  outcome,
});

/** What is not known of a file is not read any more. */
const endByCall = (builder: StepBuilder, use: WorkingUse, result: CallResult): void => {
  const files = filesOf(use);
  if (result.outcome === 'OUTCOME_UNKNOWN' && files.length > 0)
    builder.mark({ reads: Object.fromEntries(files.map((file) => [file, null])) });
  endUse(builder, use, toEnd(result));
};

const endByRow = (builder: StepBuilder, use: WorkingUse, { text, isError = false, images, items, marks, handOver }: UseResult): void => {
  if (marks !== undefined) builder.mark(marks);
  if (handOver !== undefined) handOverTurn(builder, handOver);
  const code = isError ? /^Error \[([A-Z_]+)\]/.exec(text)?.[1] : undefined;
  endUse(builder, use, { text, isError, outcome: isError ? (code ?? 'ERROR') : 'ok', images, items: toParts(items) });
};

/** A single part has the content of the whole, which isn't kept twice. */
const toParts = (items: UseResult['items']): UseEnd['items'] =>
  items?.map(({ content, ...about }) => (items.length === 1 ? about : { ...about, content }));

const endUse = (builder: StepBuilder, use: WorkingUse, end: UseEnd): void => {
  builder.putUse({ ...use, row: { ...use.row, end } });
  if (use.callIds.length === 0) builder.sayStatus(use.useId, use.row.name, end.isError ? 'errored' : 'done');
};
