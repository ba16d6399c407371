/** What a check is about: data, from which the table of docs/conformance.md is made. */
export interface CheckFacts {
  /** `family.topic`, as `--only` takes it. */
  readonly id: string;
  /** What the one that is checked does, as a sentence. */
  readonly says: string;
  /** Where that is written: `executor.md#the-digest`, in docs/protocol. */
  readonly section: string;
}

/** A check, with what it needs to run. Resolves when it passes; throws {@link Failure} or {@link Skip}. */
export interface Check<Stage> extends CheckFacts {
  run(stage: Stage): Promise<void>;
}

/** The contract was broken: `message` says what came, and what should have. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The check needs something that isn't there: `message` says what. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** Fails the check unless it holds. */
export function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Failure(otherwise);
}
