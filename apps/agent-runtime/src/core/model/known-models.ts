import { findModelFact, MODEL_FACTS_PAUSE_MS, type ModelFact, type ModelFacts } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import { knownWindow, USUAL_CONTEXT_TOKENS } from '@codelab/llm';

/** How often it is looked while no proxy has said anything. */
const EMPTY_PAUSE_MS = 2_000;

/** What is known of a model; all that a name alone doesn't tell comes from the proxies. */
export interface KnownModel extends ModelFact {
  readonly contextWindow: number;
}

/** What the proxies say of the models, read now and then into memory: to look something up costs nothing. */
export class KnownModels {
  private facts: readonly ModelFact[] = [];
  private cancel: (() => void) | undefined;
  private isOver = false;

  constructor(
    private readonly modelFacts: Pick<ModelFacts, 'read'>,
    private readonly clock: Clock,
  ) {}

  /** Begins to read. Resolves when that was tried once; never throws. */
  async start(): Promise<void> {
    try {
      const facts = await this.modelFacts.read();
      if (facts.length > 0) this.facts = facts; // what was known counts on while no proxy runs
    } catch {
      // Redis is away: what was known counts
    }
    const pauseMs = this.facts.length === 0 ? EMPTY_PAUSE_MS : MODEL_FACTS_PAUSE_MS;
    if (!this.isOver) this.cancel = this.clock.after(pauseMs, () => void this.start());
  }

  stop(): void {
    this.isOver = true;
    this.cancel?.();
  }

  /** @param name as a session has it; `''` is the default model */
  find(name: string): KnownModel {
    const fact = findModelFact(this.facts, name);
    const { model = name } = fact ?? {};
    return { name, model, ...fact, contextWindow: fact?.contextWindow ?? knownWindow(model)?.contextTokens ?? USUAL_CONTEXT_TOKENS };
  }
}
