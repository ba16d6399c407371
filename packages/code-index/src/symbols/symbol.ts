/** A definition in a file. */
export interface CodeSymbol {
  readonly name: string;
  /** `function`, `class`, `method` and so on. */
  readonly kind: string;
  /** What it is defined in, as `Outer.Inner`; empty at the top of a file. */
  readonly container: string;
  /** First and last line of its text, from 1, without the comment before it. */
  readonly start: number;
  readonly end: number;
  /** As a map shows it: `add(a, b)`. */
  readonly shown: string;
}

/** Kinds that hold other definitions. */
export const CONTAINERS: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'module', 'impl', 'trait', 'enum']);
