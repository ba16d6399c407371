import type { ClaimedStep, CompactRequest, ContextKnowledge, StepFailure, StepWait } from '@codelab/bus';
import {
  AnswerBuilder,
  ApiError,
  closeOrphans,
  type CutPlan,
  estimateTokens,
  Growth,
  planCompaction,
  LlmError,
  type ApiErrorKind,
  type LlmErrorCode,
  type ModelRequest,
  type StreamPart,
  type Usage,
} from '@codelab/llm';
import type { Accounting, Admission } from '../accounting/accounting.js';
import type { ChainPorts, Retry } from '../chain/ask-chain.js';
import { MAX_ATTEMPTS } from '../chain/retry-policy.js';
import { askInOrder } from '../chain/ask-target.js';
import { withCost } from '../models/cost-of.js';
import type { ModelCatalog, Target } from '../models/model-catalog.js';
import { type ContextLimits, RequestWindow, toItem, USUAL_CONTEXT_LIMITS, type WindowParts } from '../context/request-window.js';
import { sumUp, sumUpMechanically } from '../context/sum-up.js';
import type { Trace } from '../serve/route.js';
import { admitStep } from './admit-step.js';
import type { HistoryCache } from './history-cache.js';
import { type StepBase, toModelRequest } from './to-model-request.js';
import { toStepAnswer } from './to-step-answer.js';
import { toUsed } from './to-used.js';
import { withThinking } from './with-thinking.js';

export interface StepPorts {
  readonly catalog: ModelCatalog;
  readonly chain: ChainPorts;
  readonly histories: HistoryCache;
  readonly accounting: Pick<Accounting, 'admit'>;
  /** Default: {@link USUAL_CONTEXT_LIMITS}. */
  readonly limits?: ContextLimits;
  /** Of this step alone: absent where nothing is traced; what the request carries goes on then as it is. */
  readonly trace?: Pick<Trace, 'traceparent' | 'onAttempt'>;
}

/** What became of a step, for logs and metrics: nothing in it is content. */
export interface StepOutcome {
  /** The upstream's name. */
  readonly provider: string;
  readonly model: string;
  /** `late`: somebody else's answer was first. `let_go`: cancelled, taken over, or this process closes. Else the code of the failure. */
  readonly outcome: 'answered' | 'late' | 'let_go' | LlmErrorCode | ApiErrorKind;
  readonly durationMs: number;
  /** From the claim to the first part of the answer. */
  readonly firstTokenMs?: number;
  /** How often an upstream was asked. */
  readonly attempts?: number;
  readonly usage?: Usage;
}

/**
 * Serves one model request of the queue: reads the history, asks the model and its fallbacks, publishes the text as it comes, stores the
 * answer or the failure. When the step's signal fires the upstream connection is closed and nothing is stored: the turn was cancelled, or
 * another attempt follows (L2). Throws what the queue throws.
 */
export async function serveStep(step: ClaimedStep, ports: StepPorts): Promise<StepOutcome> {
  const serving = new Serving(step, ports);
  try {
    return await serving.serve();
  } catch (error) {
    if (step.signal.aborted) return serving.end('let_go');
    if (!isFailure(error)) throw error;
    const isFirst = await step.fail({ ...toFailure(error), context: isOverflow(error) ? serving.learned : undefined });
    return serving.end(isFirst ? codeOf(error) : 'late');
  }
}

/** What is asked, and what is kept of it for the next step. */
interface Growing {
  readonly request: ModelRequest;
  readonly growth: Growth;
}

class Serving {
  private readonly begunMs: number;
  private target: Target | undefined;
  private attempts: number | undefined;
  private firstTokenMs: number | undefined;
  private window: RequestWindow | undefined;

  constructor(
    private readonly step: ClaimedStep,
    private readonly ports: StepPorts,
  ) {
    this.begunMs = ports.chain.now();
  }

  /** What the session should know after a request that was too long. */
  get learned(): ContextKnowledge | undefined {
    return this.window?.knowledge;
  }

  async serve(): Promise<StepOutcome> {
    const { step, ports } = this;
    const targets = ports.catalog.resolve(step.request.model);
    [this.target] = targets;
    const conversation = await this.readConversation();
    const { context: known, squeezed = 0, compact } = step.request;
    const { contextTokens } = ports.catalog.windowOf(targets[0]);
    const { limits = USUAL_CONTEXT_LIMITS } = ports;
    const window = new RequestWindow({ target: targets[0], contextTokens, limits, known, squeezed, ...conversation });
    this.window = window;
    if (compact !== undefined) return this.compact(targets, { ...conversation, compact, window });
    for (;;) {
      const fitting = window.fit();
      if (fitting === undefined) throw new LlmError('context_length', TOO_LONG);
      try {
        return await this.admitted(targets, fitting, (admission) => this.ask(targets, fitting, admission));
      } catch (error) {
        if (!isOverflow(error) || !window.learn(error)) throw error;
      }
    }
  }

  end(outcome: StepOutcome['outcome'], usage?: Usage): StepOutcome {
    return {
      provider: this.target?.upstream.name ?? 'none',
      model: this.target?.model ?? this.step.request.model,
      outcome,
      durationMs: this.ports.chain.now() - this.begunMs,
      firstTokenMs: this.firstTokenMs,
      attempts: this.attempts,
      usage,
    };
  }

  /** What is asked, as the history has it or with a cut more. Every tool use in it has exactly one result, whatever a program or a crash left (R5). */
  private async readConversation(): Promise<Pick<WindowParts, 'items' | 'render'>> {
    const { request } = this.step;
    const history = await this.ports.histories.read(this.step);
    const { items } = history;
    const text = request.hasBase && history.asked === undefined ? await this.step.readBase() : undefined;
    const base = text === undefined ? history.asked?.base : (JSON.parse(text) as StepBase);
    const render = (cut?: CutPlan): Growing => {
      const shown = cut === undefined ? history : { items: [...items, toItem(cut)] };
      const rendered = toModelRequest({ step: request, history: shown, base });
      return { ...rendered, request: closeOrphans(rendered.request, rendered.growth) };
    };
    return { items, render };
  }

  /** Does what costs tokens within the limits of whoever pays. */
  private async admitted<T>(
    targets: readonly [Target, ...Target[]],
    asked: Growing,
    run: (admission: Admission) => Promise<T>,
  ): Promise<T> {
    const admission = await admitStep(this.step, { ...asked, target: targets[0] }, this.ports);
    try {
      return await run(admission);
    } finally {
      admission.settle(undefined); // a repeat does nothing
    }
  }

  private async ask(targets: readonly Target[], growing: Growing, admission: Admission): Promise<StepOutcome> {
    const { step, window } = this;
    const publish = publisher(step);
    const { target, answer } = await this.collect(targets, growing, { admission, adapt: withThinking, publish });
    const { usage: counted, ...said } = answer.build();
    const usage = counted && withCost(counted, target.entry.price);
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    const isEmpty = said.finish === 'length' && said.text === '' && said.toolCalls.length === 0 && !said.thinking;
    if (isEmpty && window?.leftNoRoom(inputTokens, outputTokens, growing.request.maxTokens)) {
      throw new LlmError('context_length', TOO_LONG, { overflow: { window: inputTokens > 0 ? inputTokens + outputTokens : undefined } });
    }
    const context = window?.use(target.model, inputTokens);
    const isFirst = await step.answer({ ...toStepAnswer(target, said, usage), context });
    return this.end(isFirst ? 'answered' : step.signal.aborted ? 'let_go' : 'late', usage);
  }

  /** Asks, and takes the whole answer. */
  private async collect(
    targets: readonly Target[],
    { request, growth }: Growing,
    {
      admission,
      adapt,
      publish,
    }: { readonly admission: Admission; readonly adapt?: typeof withThinking; readonly publish?: (part: StreamPart) => void },
  ): Promise<{ readonly target: Target; readonly answer: AnswerBuilder }> {
    const { step, ports } = this;
    const { traceparent = step.request.traceparent, onAttempt } = ports.trace ?? {};
    const onRetry = (retry: Retry): void => {
      ports.chain.onRetry?.(retry);
      step.tellWait(toWait(retry));
    };
    const asked = await askInOrder(targets, request, {
      ...ports.chain,
      onRetry,
      onAttempt,
      signal: step.signal,
      growth,
      adapt,
      traceparent,
    });
    this.target = asked.target;
    this.attempts = (this.attempts ?? 0) + asked.attempts;
    const answer = new AnswerBuilder();
    try {
      for await (const part of asked.value) {
        this.firstTokenMs ??= ports.chain.now() - this.begunMs;
        answer.add(part);
        publish?.(part);
      }
    } finally {
      admission.settle(toUsed(asked.target, answer, () => estimateTokens(request, growth)));
    }
    return { target: asked.target, answer };
  }

  /** Sums up what is older. Nobody is shown the text while it is written. */
  private async compact(targets: readonly [Target, ...Target[]], { items, compact, window }: Compacting): Promise<StepOutcome> {
    const { step } = this;
    const [target] = targets;
    const { limit, scale } = window.use(target.model, 0);
    const plan = planCompaction(items, compact.whole === true || (step.request.squeezed ?? 0) > 0 ? 0 : (limit * KEPT_SHARE) / scale);
    let usage: Usage | undefined;
    const ask = async (request: ModelRequest): Promise<string> => {
      const asked = { request, growth: new Growth() };
      const { answer, target: asks } = await this.admitted(targets, asked, (admission) => this.collect(targets, asked, { admission }));
      const { text, usage: counted } = answer.build();
      usage = addUsage(usage, counted && withCost(counted, asks.entry.price));
      return text;
    };
    const parts = plan && { plan, model: step.request.model, window: limit, scale, focus: compact.focus, ask };
    const isMechanical = compact.mechanical === true || target.upstream.dialects.size === 0; // the built-in model can't write one
    const summary = parts && (isMechanical ? sumUpMechanically(parts) : await sumUp(parts));
    const { inputTokens = 0, outputTokens = 0, costUsd } = usage ?? {};
    const isFirst = await step.answer({
      ...{
        model: target.model,
        text: summary?.content ?? '',
        toolCalls: [],
        finish: 'stop',
        usage: { inputTokens, outputTokens, costUsd },
      },
      summary: plan && { upTo: plan.upTo, mechanical: summary?.mechanical },
    });
    return this.end(isFirst ? 'answered' : step.signal.aborted ? 'let_go' : 'late', usage);
  }
}

/** What stays of a conversation that is compacted, of the window. */
const KEPT_SHARE = 0.2;

const TOO_LONG = 'The conversation is longer than the model can read.';

interface Compacting extends Pick<WindowParts, 'items'> {
  readonly compact: CompactRequest;
  readonly window: RequestWindow;
}

const addUsage = (sum: Usage | undefined, more: Usage | undefined): Usage | undefined => {
  if (sum === undefined || more === undefined) return sum ?? more;
  const costUsd = sum.costUsd === undefined ? more.costUsd : sum.costUsd + (more.costUsd ?? 0);
  return { inputTokens: sum.inputTokens + more.inputTokens, outputTokens: sum.outputTokens + more.outputTokens, costUsd };
};

/** Whether less of the conversation is what helps. */
const isOverflow = (error: unknown): error is LlmError =>
  error instanceof LlmError && (error.code === 'context_length' || error.code === 'too_large');

/** What the runtime is told of; for a fault of ours the queue has rules of its own. */
const isFailure = (error: unknown): error is LlmError | ApiError =>
  error instanceof LlmError || (error instanceof ApiError && error.kind !== 'internal');

const codeOf = (error: LlmError | ApiError): LlmErrorCode | ApiErrorKind => (error instanceof LlmError ? error.code : error.kind);

/** Refusals of ours that pass by themselves. */
const PASSING: ReadonlySet<ApiErrorKind> = new Set(['rate_limited', 'unavailable', 'overloaded']);

function toFailure(error: LlmError | ApiError): StepFailure {
  const { message, retryAfterMs } = error;
  const failure = { code: codeOf(error), message, retryAfterMs };
  if (!(error instanceof LlmError)) return { ...failure, retryable: PASSING.has(error.kind) };
  return { ...failure, retryable: error.retryable, waitWording: error.waitWording };
}

const toWait = ({ error, delayMs, attempt }: Retry): StepWait => ({
  ...{ code: error.code, message: error.waitWording ?? error.message },
  ...{ attempt, maxAttempts: MAX_ATTEMPTS, delayMs },
});

/** Publishes text and the beginnings of calls; each delta says after how much text it stands. */
function publisher(step: ClaimedStep): (part: StreamPart) => void {
  let offset = 0;
  return (part) => {
    if (part.kind === 'thinking_delta') step.tellThought(part.text);
    if (part.kind === 'text_delta') {
      step.publish({ offset, text: part.text });
      offset += part.text.length;
    }
    if (part.kind === 'tool_call_start' && step.request.callsUnseen !== true)
      step.publish({ offset, text: '', tool: { index: part.index, name: part.name } });
  };
}
