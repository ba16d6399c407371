/** What a part of the run is given, and says what it found. */
export interface PartContext {
  /** Sessions that are driven; without a number as many as the part has by itself. */
  readonly sessions?: number;
  readonly say: (text: string) => void;
}

/** Runs it; answers what was promised and isn't so, a sentence for each. */
export type Part = (context: PartContext) => Promise<readonly string[]>;
