/** A piece of a file that a search can find: a definition, a section, or some lines. */
export interface Chunk {
  /** First and last line, from 1. */
  readonly start: number;
  readonly end: number;
  /** What it defines, with what that is defined in; or the heading. Empty for lines between. */
  readonly name: string;
  /** What its comment says. */
  readonly doc: string;
}

/** Lines of a chunk at most. */
export const MAX_CHUNK_LINES = 60;
/** Lines of a piece of what is longer. */
export const WINDOW_LINES = 40;
/** Chunks of one file; what comes behind them is left out. */
export const MAX_CHUNKS = 400;
