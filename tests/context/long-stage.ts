import type { ClaimedStep, StepRequest } from '@codelab/bus';
import type { Script } from '@codelab/testkit';
import { type RecordedRequest, type ScriptedProvider, SimulatedSession, startScriptedProvider } from '@codelab/testkit';
import { LIMITS, Scene } from '../../apps/agent-runtime/src/core/__fixtures__/scene.js';
import { Breakers } from '../../apps/llm-proxy/src/core/chain/breaker.js';
import { createCatalog } from '../../apps/llm-proxy/src/core/models/create-catalog.js';
import { NO_MODELS_FILE } from '../../apps/llm-proxy/src/core/models/parse-models-file.js';
import { HistoryCache } from '../../apps/llm-proxy/src/core/step/history-cache.js';
import { serveStep, type StepOutcome, type StepPorts } from '../../apps/llm-proxy/src/core/step/serve-step.js';
import { openUpstream } from '../../apps/llm-proxy/src/core/upstreams/__fixtures__/open-upstream.js';

/** Begins the system prompt of a request for a summary. */
const SUMS_UP = 'You sum up the work of a coding agent';

/** How a server counts: not as we estimate. */
export const countTokens = ({ text }: Pick<RecordedRequest, 'text'>): number => Math.ceil(text.length / 3.1);

export const isSummary = ({ text }: Pick<RecordedRequest, 'text'>): boolean => text.includes(SUMS_UP);

/** What a server of each dialect answers to a request that is too long; `undefined`: another one, which names no number. */
export type Refusal = (used: number, window: number) => { readonly status: number; readonly body: object };

export const REFUSALS: Readonly<Record<'openai' | 'anthropic' | 'silent', Refusal>> = {
  openai: (used, window) => ({
    status: 400,
    body: {
      error: {
        message: `This model's maximum context length is ${String(window)} tokens. However, your messages resulted in ${String(used)} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  }),
  anthropic: (used, window) => ({
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long: ${String(used)} tokens > ${String(window)} maximum` },
    },
  }),
  silent: () => ({
    status: 400,
    body: { error: { message: 'the input length exceeds the context length', type: 'api_error', code: null } },
  }),
};

export interface StageOptions {
  /** What the server takes. */
  readonly window: number;
  /** What the models file says; nothing without. */
  readonly known?: number;
  readonly type?: 'openai' | 'anthropic';
  readonly refusal?: Refusal;
  /** What it answers where the request fits. */
  readonly script: Script;
  readonly counts?: boolean;
}

/** A runtime and two proxies that take turns, in one process, before a server that enforces a small window over real HTTP. */
export class LongStage {
  readonly outcomes: StepOutcome[] = [];
  /** Tokens of the requests that were taken, and of those that were refused. */
  readonly taken: number[] = [];
  readonly refused: number[] = [];
  scene = new Scene(new SimulatedSession(), { ...LIMITS, maxRounds: 1_000_000, turnTimeoutMs: Number.MAX_SAFE_INTEGER });
  private readonly proxies: StepPorts[];
  private served = 0;

  private constructor(
    readonly provider: ScriptedProvider,
    { type = 'openai', known }: StageOptions,
  ) {
    const baseUrl = type === 'openai' ? provider.baseUrl : provider.origin;
    const upstream = Object.assign(openUpstream({ type, baseUrl, apiKey: 'key' }), { type });
    const file = { ...NO_MODELS_FILE, models: { m0: { upstream: type, context_window: known } } };
    this.proxies = [0, 1].map(() => ({
      catalog: createCatalog({ upstreams: { offline: upstream, configured: [upstream] }, file, random: () => 0 }),
      chain: { breakers: new Breakers({ now: () => 0 }), now: () => performance.now(), wait: async () => undefined, random: () => 0 },
      histories: new HistoryCache(1e8),
      accounting: { admit: async () => ({ settle: () => undefined }) },
    }));
  }

  static async open(options: StageOptions): Promise<LongStage> {
    const { window, refusal = REFUSALS.openai, script, counts = true } = options;
    const provider = await startScriptedProvider({
      script: async (request, n) => {
        const used = countTokens(request);
        if (used > window) {
          stage.refused.push(used);
          return refusal(used, window);
        }
        stage.taken.push(used);
        const reply = await script(request, n);
        return counts ? { usage: { prompt_tokens: used, completion_tokens: 20 }, ...reply } : reply;
      },
    });
    const stage = new LongStage(provider, options);
    return stage;
  }

  get session(): SimulatedSession {
    return this.scene.session;
  }

  /** What is asked now. */
  get asked(): StepRequest {
    return JSON.parse(this.session.step?.request ?? '{}') as StepRequest;
  }

  /** Serves the request that is out, by one proxy or the other. `signal`: the proxy dies with it. */
  async serve(signal = new AbortController().signal): Promise<void> {
    const { step } = this.session;
    if (step === undefined) throw new Error('nothing is asked');
    this.outcomes.push(await serveStep(this.claim(step, signal), this.proxies[(this.served += 1) % 2]!));
    this.scene.settle();
  }

  /** Serves requests, and answers calls with what `run` says, until no turn runs. */
  async finish(run: (args: Record<string, unknown>, callId: string) => unknown): Promise<void> {
    for (let steps = 0; this.session.turnId !== ''; steps += 1) {
      if (steps > 5_000 || this.refused.length > 100) throw new Error('the turn never ends');
      if (this.session.step !== undefined) await this.serve();
      else if (!this.settleCalls(run)) this.scene.pass(60_000);
    }
  }

  /** Answers the calls that are open; `false`: there is none. */
  settleCalls(run: (args: Record<string, unknown>, callId: string) => unknown): boolean {
    const { records } = this.session;
    for (const { callId, frame } of records) {
      const { args } = JSON.parse(frame) as { args: Record<string, unknown> };
      this.session.settle(callId, { result: run(args, callId) });
    }
    this.scene.settle();
    return records.length > 0;
  }

  async close(): Promise<void> {
    await this.provider.close();
  }

  private claim(step: NonNullable<SimulatedSession['step']>, signal: AbortSignal): ClaimedStep {
    const { session } = this;
    const request = JSON.parse(step.request) as StepRequest;
    return {
      ref: session.ref,
      stepId: step.stepId,
      attempt: (step.attempt += 1),
      request,
      signal,
      readHistory: async (from) => session.history.slice(from, request.historyVersion),
      readBase: async () => undefined,
      publish: () => undefined,
      tellWait: () => undefined,
      tellThought: () => undefined,
      answer: async (answer) => session.step === step && session.answer(answer),
      fail: async (failure) => session.step === step && session.fail(failure),
    };
  }
}
