import type { ContextKnowledge, ContextUse } from '@codelab/bus';
import {
  estimateTokens,
  type Growth,
  historyToMessages,
  type HistoryItem,
  type LlmError,
  type ModelRequest,
  planCut,
  type CutPlan,
} from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';

/** How full a window may get, as parts of it. */
export interface ContextLimits {
  /** Above this a request isn't sent: what is older is cut. */
  readonly cutAt: number;
  /** A cut goes down to this. */
  readonly cutTo: number;
}

export const USUAL_CONTEXT_LIMITS: ContextLimits = { cutAt: 0.8, cutTo: 0.5 };

/** A request as it can be sent, and what it was made of. */
export interface Rendered {
  readonly request: ModelRequest;
  readonly growth: Growth;
}

/** What a request is measured by. */
export interface WindowParts {
  readonly target: Target;
  /** The window as configured, listed or known by family. */
  readonly contextTokens: number;
  readonly limits: ContextLimits;
  readonly known?: ContextKnowledge;
  /** How often the conversation was compacted for this request already. */
  readonly squeezed: number;
  readonly items: readonly HistoryItem[];
  /** The request as the history has it, and with a cut more. */
  readonly render: (cut?: CutPlan) => Rendered;
}

/** Estimates are never corrected by more than that: a provider that counts otherwise counts nonsense. */
const [MIN_SCALE, MAX_SCALE] = [0.4, 3];

/** Once a conversation was compacted, a request may be this full: what is left can't be made much smaller. */
const FULL = 0.95;

/** How often one step is sent again with less of its conversation. */
const MAX_LESSONS = 3;

/** What a server takes off an answer's room, where the request says how long it may be. */
const MIN_ANSWER_TOKENS = 256;
const USUAL_ANTHROPIC_ANSWER_TOKENS = 8_192;

/**
 * How much of its model's window a request takes, and what is cut so that it fits. Learns from refusals how large the window is and how the
 * provider counts. Decides the same wherever it is asked the same.
 */
export class RequestWindow {
  private window: number;
  private scale: number;
  private isLearned: boolean;
  private lessons = 0;
  private estimated = 0;
  /** The longest answer that the request allows, in tokens; 0: it says nothing of that. */
  private answer = 0;
  private cut: CutPlan | undefined;

  constructor(private readonly parts: WindowParts) {
    const known = parts.known?.model === parts.target.model ? parts.known : undefined;
    this.window = known?.window ?? parts.contextTokens;
    this.isLearned = known?.window !== undefined;
    this.scale = known?.scale ?? 1;
  }

  /** The request that can be sent; `undefined` where cutting is not enough, and the conversation has to be compacted. */
  fit(): Rendered | undefined {
    const { render, items, squeezed, limits } = this.parts;
    const whole = render(this.cut);
    const used = this.measure(whole);
    const most = this.window * (squeezed > 0 ? FULL : limits.cutAt);
    if (used <= most) return this.withRoom(whole, used);
    const unread = this.unread();
    if (used - unread <= most) return whole;
    const goal = Math.min(this.window * limits.cutTo, most * 0.9);
    const use = { used, most, goal, scale: this.scale };
    const shown = this.cut === undefined ? items : [...items, toItem(this.cut)];
    const plan = planCut(shown, use) ?? (squeezed > 0 ? planCut(shown, { ...use, isLast: true }) : undefined);
    if (plan === undefined) return undefined;
    this.cut = plan;
    const cut = render(plan);
    const left = this.measure(cut);
    if (left > this.window * FULL) return left - unread > this.window * FULL ? undefined : cut;
    return this.withRoom(cut, left);
  }

  /** Takes a refusal for being too long; `false`: it has taken enough of them. */
  learn(error: LlmError): boolean {
    this.lessons += 1;
    const { window, used } = error.overflow ?? {};
    const measured = this.estimated * this.scale;
    if (used !== undefined) this.scale = clampScale(used / Math.max(1, this.estimated));
    this.window = Math.floor(Math.min(window ?? Infinity, this.window));
    const now = this.estimated * this.scale;
    const lacksRoom = used !== undefined && used < this.window && used + this.answer > this.window;
    // It was refused, so it is larger than it seems, or the window is smaller; unless only its answer has no room, which becomes shorter.
    if (window !== undefined && now < this.window && !lacksRoom)
      this.scale = clampScale((this.window * 1.02) / Math.max(1, this.estimated));
    if (window === undefined) this.window = Math.floor(Math.min(this.window, Math.max(measured, now) * 0.9));
    this.isLearned = true;
    return this.lessons <= MAX_LESSONS;
  }

  /** What the next request of the session should know. */
  get knowledge(): ContextKnowledge {
    return { model: this.parts.target.model, scale: this.scale, window: this.isLearned ? this.window : undefined };
  }

  /** How full the window was with an answer. `inputTokens`: as the provider counted; 0 where it didn't. */
  use(model: string, inputTokens: number): ContextUse {
    const tokens = inputTokens > 0 ? inputTokens : Math.ceil(this.estimated * this.scale);
    const scale = inputTokens > 0 && this.estimated > 0 ? clampScale(inputTokens / this.estimated) : this.scale;
    if (tokens > this.window) {
      this.window = Math.ceil(tokens * 1.25); // it was answered, so the model reads more than was known
      this.isLearned = true;
    }
    return { ...this.knowledge, model, scale, tokens, limit: this.window, cut: this.cut };
  }

  /** Whether an answer was cut off because nothing of the window was left for it. */
  leftNoRoom(inputTokens: number, outputTokens: number, maxTokens = Infinity): boolean {
    const used = Math.max(inputTokens, this.estimated * this.scale);
    return used + outputTokens >= this.window * FULL || (outputTokens <= 1 && maxTokens > MIN_ANSWER_TOKENS);
  }

  /**
   * Tokens of what no model has read yet: the last answer and the results of its calls. While nobody has said how large the window is, neither
   * the operator nor a refusal, it goes out as it is: the provider knows better than a table, and nothing is withheld from a model that could read it.
   */
  private unread(): number {
    const { target, items } = this.parts;
    if (this.isLearned || (target.entry.context_window ?? target.entry.context_tokens) !== undefined) return 0;
    const last = items.findLastIndex(({ role }) => role === 'assistant');
    const messages = historyToMessages(items.slice(Math.max(0, last)), (name) => name);
    return estimateTokens({ model: target.model, tools: [], messages }) * this.scale;
  }

  private measure({ request, growth }: Rendered): number {
    this.estimated = estimateTokens(request, growth);
    return this.estimated * this.scale;
  }

  /** Some servers refuse a request whose answer might not fit: it may be as long as there is room. */
  private withRoom(rendered: Rendered, used: number): Rendered {
    const { request } = rendered;
    const { upstream, entry } = this.parts.target;
    const usual = upstream.dialects.has('messages') ? (entry.max_output_tokens ?? USUAL_ANTHROPIC_ANSWER_TOKENS) : undefined;
    const answer = request.maxTokens ?? usual;
    const room = Math.floor(this.window * 0.98 - used);
    this.answer = answer === undefined ? 0 : Math.max(MIN_ANSWER_TOKENS, Math.min(answer, room));
    if (answer === undefined || answer <= room) return rendered;
    return { ...rendered, request: { ...request, maxTokens: this.answer } };
  }
}

const clampScale = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

/** A cut as the history will have it. */
export const toItem = ({ upTo, limit }: CutPlan): Extract<HistoryItem, { role: 'cut' }> => ({ role: 'cut', up_to: upTo, limit, at_ms: 0 });
