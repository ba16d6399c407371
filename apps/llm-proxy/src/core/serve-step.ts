import type { ClaimedStep, StepAnswer } from '@codelab/bus';
import { AnswerBuilder, LlmError, type StreamPart, type Usage } from '@codelab/llm';
import { askModel, type AskOptions } from './ask-model.js';
import type { HistoryCache } from './history-cache.js';
import { meterUsage, type PriceTable } from './meter-usage.js';
import { routeModel, type Route, type Routes } from './route-model.js';
import { toModelRequest } from './to-model-request.js';

export interface StepPorts extends Pick<AskOptions, 'wait' | 'random' | 'now' | 'onRetry'> {
  readonly routes: Routes;
  readonly histories: HistoryCache;
  readonly prices: PriceTable;
}

/** What became of a step, for logs and metrics: nothing in it is content. */
export interface StepOutcome {
  readonly provider: string;
  readonly model: string;
  /** `late`: somebody else's answer was first. `let_go`: cancelled, taken over, or this process closes. Else the code of the failure. */
  readonly outcome: 'answered' | 'late' | 'let_go' | LlmError['code'];
  readonly durationMs: number;
  /** From the claim to the first part of the answer. */
  readonly firstTokenMs?: number;
  readonly usage?: Usage;
}

/**
 * Serves one model request of the queue: reads the history, asks the model, publishes its text as it comes, stores the answer or
 * the failure. When the step's signal fires the upstream connection is closed and nothing is stored: the turn was cancelled, or
 * another attempt follows (L2). Throws what the queue throws.
 */
export async function serveStep(step: ClaimedStep, ports: StepPorts): Promise<StepOutcome> {
  const begun = ports.now();
  let route: Route | undefined;
  let firstTokenMs: number | undefined;
  const end = (outcome: StepOutcome['outcome'], usage?: Usage): StepOutcome => ({
    provider: route?.provider.name ?? 'none',
    model: route?.model ?? step.request.model,
    outcome,
    durationMs: ports.now() - begun,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(usage && { usage }),
  });
  try {
    route = routeModel(step.request.model, ports.routes);
    const request = toModelRequest(step.request, await ports.histories.read(step), route.model);
    const answer = new AnswerBuilder();
    const publish = publisher(step);
    for await (const part of askModel(route.provider, request, { ...ports, signal: step.signal })) {
      firstTokenMs ??= ports.now() - begun;
      answer.add(part);
      publish(part);
    }
    const { usage: counted, ...said } = answer.build();
    const usage = counted && meterUsage(route.model, counted, ports.prices);
    const isFirst = await step.answer(toStepAnswer(route.model, said, usage));
    return end(isFirst ? 'answered' : step.signal.aborted ? 'let_go' : 'late', usage);
  } catch (error) {
    if (step.signal.aborted) return end('let_go');
    if (!(error instanceof LlmError)) throw error;
    const isFirst = await step.fail({ code: error.code, message: error.message, retryable: error.retryable });
    return end(isFirst ? error.code : 'late');
  }
}

/** Publishes text and the beginnings of calls; each delta says after how much text it stands. */
function publisher(step: ClaimedStep): (part: StreamPart) => void {
  let offset = 0;
  return (part) => {
    if (part.kind === 'text_delta') {
      step.publish({ offset, text: part.text });
      offset += part.text.length;
    }
    if (part.kind === 'tool_call_start') step.publish({ offset, text: '', tool: { index: part.index, name: part.name } });
  };
}

function toStepAnswer(model: string, answer: Omit<StepAnswer, 'model' | 'usage'>, usage: Usage | undefined): StepAnswer {
  const { inputTokens = 0, outputTokens = 0, costUsd } = usage ?? {};
  return { model, ...answer, usage: { inputTokens, outputTokens, ...(costUsd !== undefined && { costUsd }) } };
}
