/** What a session has to know of a model before it asks it. */
export interface ModelFact {
  /** A name that callers use; `''`: no name, the default. One that ends in `*` stands for every name that begins so. */
  readonly name: string;
  /** What the upstream calls the model that the name leads to, first; absent where the name stands for many. */
  readonly model?: string;
  /** Tokens of one request, its answer with it; absent where nobody knows. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The tools' vocabulary that the models file names; absent: by the model's family. */
  readonly vocabulary?: string;
  readonly displayName?: string;
}

/** How long facts count without being published again, in milliseconds. */
export const MODEL_FACTS_TTL_MS = 120_000;

/** How often a proxy publishes, and a runtime reads them. */
export const MODEL_FACTS_PAUSE_MS = 30_000;

/**
 * What the proxies tell the runtimes of the models, because no service calls another. Every replica publishes the same; the last one counts.
 * Methods throw `BusError` when Redis is away.
 */
export interface ModelFacts {
  /** Replaces all facts. */
  publish(facts: readonly ModelFact[]): Promise<void>;
  /** All of them; none where no proxy has published for a while. Not for the hot path: read it now and then. */
  read(): Promise<readonly ModelFact[]>;
}

/** What is known of the model of this name: by the whole name, else by the longest beginning, else by what stands behind its vendor. */
export function findModelFact(facts: readonly ModelFact[], name: string): ModelFact | undefined {
  const exact = facts.find((fact) => fact.name === name);
  if (exact !== undefined) return exact;
  let longest: ModelFact | undefined;
  for (const fact of facts) {
    const fits = fact.name.endsWith('*') && name.startsWith(fact.name.slice(0, -1));
    if (fits && fact.name.length > (longest?.name.length ?? 0)) longest = fact;
  }
  const slash = name.indexOf('/');
  return longest ?? (slash === -1 ? undefined : findModelFact(facts, name.slice(slash + 1)));
}
