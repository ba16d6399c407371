import { statusOfResult } from '../calls/status-of-result.js';
import type { InboxEntry, StepAnswer } from '@codelab/bus';
import type { TurnStop } from '@codelab/protocol';
import { PLAN_TOOL } from '@codelab/tools';
import { syntheticResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { canonicalName, findOffered } from '../model/offered-tools.js';
import { planToolName } from '../plans/plan-mode.js';
import { handOver, refusedCall } from '../calls/open-call.js';
import { type OpenedUse, openUse } from '../uses/open-use.js';
import { tellWritten } from '../uses/tell-uses.js';
import type { HistoryToolCall } from '@codelab/llm';
import { MAX_CALLS_PER_ANSWER } from '../turn/runtime-limits.js';
import { takeContext, takeSummary } from './apply-summary.js';
import { sayTokens, takeAttempt, toFinal } from '../model/stream-text.js';
import { type Call, type Step, stepOf, type TurnUsage } from '../turn/turn-state.js';

/**
 * Takes the answer of a model: what is new of its text, then its calls, all of one answer together, or the end of the turn. Of an answer that
 * comes together with the cancel of its turn only the text is kept; one that this turn doesn't wait for is consumed without effect.
 */
export function applyAnswer(builder: StepBuilder, entry: Extract<InboxEntry, { kind: 'answer' }>): void {
  const asked = stepOf(builder.turn);
  if (asked?.stepId !== entry.stepId) return;
  const answer = JSON.parse(entry.answer) as StepAnswer;
  const step = takeAttempt(asked, entry.attempt, () => builder.context.newId('msg'));
  const { usage, model } = builder.runningTurn;
  builder.change({ usage: addUsage(usage, answer.usage), failures: 0, model: model === '' ? answer.model : model });
  builder.events.push({ kind: 'model_answered', stepId: step.stepId });
  if (step.compacting !== undefined) return takeSummary(builder, step.compacting, { step, answer });
  builder.change({ squeezed: undefined });
  takeContext(builder, answer.context);
  if (builder.isCancelled) builder.change({ phase: { kind: 'asking', step: { ...step, text: answer.text } } });
  else if (answer.toolCalls.length > 0 && builder.runningTurn.lastWords === undefined) takeCalls(builder, step, answer);
  else finish(builder, step, answer);
}

/** Both together. */
export const addUsage = (sum: TurnUsage, usage: TurnUsage): TurnUsage => ({
  inputTokens: sum.inputTokens + usage.inputTokens,
  outputTokens: sum.outputTokens + usage.outputTokens,
  costUsd: sum.costUsd === undefined ? usage.costUsd : sum.costUsd + (usage.costUsd ?? 0),
});

const finish = (builder: StepBuilder, step: Step, answer: StepAnswer): void => {
  rememberAnswer(builder, step, answer, []);
  if (answer.finish === 'content_filter' && answer.text === '') {
    const message = "The model's provider stopped the answer by its content filter.";
    return builder.enter({ kind: 'failed', error: { code: 'TURN_FAILED', message } });
  }
  sayTokens(builder, step, answer.text, toFinal(answer.text));
  builder.enter({ kind: 'answered', stop: builder.runningTurn.lastWords === undefined ? undefined : 'budget' });
};

const takeCalls = (builder: StepBuilder, step: Step, answer: StepAnswer): void => {
  sayTokens(builder, step, answer.text);
  const stop = roundsStop(builder);
  if (stop !== undefined) return stopAtRounds(builder, step, answer, stop);
  const opened = answer.toolCalls.map((requested, place) => {
    const callId = step.begun[place] ?? builder.context.newId('call');
    const why = refusal(answer, place);
    const known = canonicalName(builder.runningTurn, requested.name);
    if (why === undefined) {
      builder.sayStatus(callId, known, 'generated');
      tellWritten(builder, callId, requested.name);
      return openUse(builder, requested, callId);
    }
    const toolName = known ?? requested.name;
    const call = refusedCall(callId, toolName, syntheticResult('INVALID_ARGUMENTS', why));
    return { use: { useId: callId, callIds: [callId] }, toolName, argumentsText: '{}', call };
  });
  rememberAnswer(builder, step, answer, toHistory(builder, answer, opened));
  const calls = opened.flatMap(({ call }) => call ?? []);
  builder.enter({ kind: 'calling', calls, uses: opened.map(({ use }) => use) });
  for (const call of calls) reportRefused(builder, call);
};

/** The limit at which a program's turn has had its rounds of tools, if it has. The runtime's own counts, too, and is no failure. */
const roundsStop = ({ context: { facts, limits }, runningTurn: { rounds } }: StepBuilder): TurnStop | undefined => {
  if (facts.program === undefined) return undefined;
  const { maxToolRounds } = facts.program;
  if (maxToolRounds > 0 && rounds > maxToolRounds) return 'max_tool_rounds';
  return rounds >= limits.maxRounds ? 'runtime_max_rounds' : undefined;
};

/** None of the calls runs: they are in the history, so that the program can see what the model wanted. */
const stopAtRounds = (builder: StepBuilder, step: Step, answer: StepAnswer, stop: TurnStop): void => {
  const calls = answer.toolCalls.map((requested, place): OpenedUse => {
    const useId = step.begun[place] ?? builder.context.newId('call');
    return { ...handOver(requested, useId), use: { useId, callIds: [useId] } };
  });
  rememberAnswer(builder, step, answer, toHistory(builder, answer, calls));
  const { facts } = builder.context;
  const isCallers = answer.toolCalls.every(({ name }) => findOffered(facts, builder.runningTurn, name)?.by === 'caller');
  builder.enter({ kind: 'answered', stop: isCallers ? 'handed_over' : stop });
};

/** Why a call of this answer is not even looked at. */
const refusal = (answer: StepAnswer, place: number): string | undefined => {
  if (answer.finish === 'length') {
    return 'The answer was cut off at its length limit, so none of its calls ran. Say less, or split the work into smaller calls.';
  }
  if (answer.finish === 'content_filter') return 'The answer was stopped by a content filter, so none of its calls ran.';
  if (place < MAX_CALLS_PER_ANSWER) return undefined;
  return `At most ${String(MAX_CALLS_PER_ANSWER)} calls of one answer run; this one did not. Make it again after the results.`;
};

const toHistory = (builder: StepBuilder, answer: StepAnswer, opened: readonly OpenedUse[]): readonly HistoryToolCall[] =>
  opened.map(({ use, toolName, argumentsText }, place) => ({
    call_id: use.useId,
    tool_name: toolName,
    arguments: argumentsText,
    provider_id: answer.toolCalls[place]?.providerId ?? '',
    vocabulary: use.row && use.row.own === undefined ? builder.runningTurn.vocabulary : undefined,
    name: use.row?.name ?? (toolName === PLAN_TOOL.name ? planToolName(builder.runningTurn.vocabulary) : undefined),
  }));

const reportRefused = (builder: StepBuilder, call: Call): void => {
  if (call.state !== 'settled') return;
  const { callId, toolName, result } = call;
  builder.sayStatus(callId, toolName, 'errored', statusOfResult(toolName, result).error);
  builder.events.push({ kind: 'call_settled', callId, toolName, outcome: result.outcome });
};

/** The thoughts before calls are kept with them: their provider wants them back until the calls are answered. */
const rememberAnswer = (builder: StepBuilder, step: Step, { text, thinking }: StepAnswer, calls: readonly HistoryToolCall[]): void =>
  builder.remember({
    role: 'assistant',
    turn_id: builder.runningTurn.turnId,
    message_id: step.messageId,
    content: text,
    tool_calls: calls,
    thinking: calls.length > 0 ? thinking : undefined,
    at_ms: builder.nowMs,
  });
