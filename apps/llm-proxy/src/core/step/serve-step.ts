import type { ClaimedStep, StepFailure } from '@codelab/bus';
import {
  AnswerBuilder,
  ApiError,
  closeOrphans,
  estimateTokens,
  type Growth,
  LlmError,
  type ApiErrorKind,
  type LlmErrorCode,
  type ModelRequest,
  type StreamPart,
  type Usage,
} from '@codelab/llm';
import type { Accounting, Admission } from '../accounting/accounting.js';
import type { ChainPorts } from '../chain/ask-chain.js';
import { askInOrder } from '../chain/ask-target.js';
import { withCost } from '../models/cost-of.js';
import type { ModelCatalog, Target } from '../models/model-catalog.js';
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
    const isFirst = await step.fail(toFailure(error));
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

  constructor(
    private readonly step: ClaimedStep,
    private readonly ports: StepPorts,
  ) {
    this.begunMs = ports.chain.now();
  }

  async serve(): Promise<StepOutcome> {
    const { step, ports } = this;
    const targets = ports.catalog.resolve(step.request.model);
    [this.target] = targets;
    const { request, growth } = await this.readRequest();
    const admission = await admitStep(step, { request, growth, target: targets[0] }, ports);
    try {
      return await this.ask(targets, { request, growth }, admission);
    } finally {
      admission.settle(undefined); // a repeat does nothing
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

  /** What is asked. Every tool use in it has exactly one result, whatever a program or a crash left in the conversation (R5). */
  private async readRequest(): Promise<Growing> {
    const { step } = this;
    const history = await this.ports.histories.read(step);
    const base = step.request.hasBase && history.asked === undefined ? await step.readBase() : undefined;
    const input = { step: step.request, history, base: base === undefined ? undefined : (JSON.parse(base) as StepBase) };
    const { request, growth } = toModelRequest(input);
    return { request: closeOrphans(request, growth), growth };
  }

  private async ask(targets: readonly Target[], { request, growth }: Growing, admission: Admission): Promise<StepOutcome> {
    const { step, ports } = this;
    const { traceparent } = step.request;
    const asked = await askInOrder(targets, request, {
      ...ports.chain,
      signal: step.signal,
      growth,
      adapt: withThinking,
      traceparent,
    });
    this.target = asked.target;
    this.attempts = asked.attempts;
    const answer = new AnswerBuilder();
    try {
      await this.read(asked.value, answer);
    } finally {
      admission.settle(toUsed(asked.target, answer, () => estimateTokens(request, growth)));
    }
    const { usage: counted, ...said } = answer.build();
    const usage = counted && withCost(counted, asked.target.entry.price);
    const isFirst = await step.answer(toStepAnswer(asked.target, said, usage));
    return this.end(isFirst ? 'answered' : step.signal.aborted ? 'let_go' : 'late', usage);
  }

  private async read(parts: AsyncIterable<StreamPart>, answer: AnswerBuilder): Promise<void> {
    const publish = publisher(this.step);
    for await (const part of parts) {
      this.firstTokenMs ??= this.ports.chain.now() - this.begunMs;
      answer.add(part);
      publish(part);
    }
  }
}

/** What the runtime is told of; for a fault of ours the queue has rules of its own. */
const isFailure = (error: unknown): error is LlmError | ApiError =>
  error instanceof LlmError || (error instanceof ApiError && error.kind !== 'internal');

const codeOf = (error: LlmError | ApiError): LlmErrorCode | ApiErrorKind => (error instanceof LlmError ? error.code : error.kind);

/** Refusals of ours that pass by themselves. */
const PASSING: ReadonlySet<ApiErrorKind> = new Set(['rate_limited', 'unavailable', 'overloaded']);

function toFailure(error: LlmError | ApiError): StepFailure {
  const retryable = error instanceof LlmError ? error.retryable : PASSING.has(error.kind);
  const { message, retryAfterMs } = error;
  return { code: codeOf(error), message, retryable, retryAfterMs };
}

/** Publishes text and the beginnings of calls; each delta says after how much text it stands. */
function publisher(step: ClaimedStep): (part: StreamPart) => void {
  let offset = 0;
  return (part) => {
    if (part.kind === 'text_delta') {
      step.publish({ offset, text: part.text });
      offset += part.text.length;
    }
    if (part.kind === 'tool_call_start' && step.request.callsUnseen !== true)
      step.publish({ offset, text: '', tool: { index: part.index, name: part.name } });
  };
}
