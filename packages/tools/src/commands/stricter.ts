import type { CommandVerdict } from './command-judgement.js';

const STRICTNESS: Readonly<Record<CommandVerdict, number>> = { automatic: 0, ask: 1, refuse: 2 };

/** The stricter of two; the first where they are alike. */
export const stricter = <T extends { readonly verdict: CommandVerdict }>(first: T, second: T): T =>
  STRICTNESS[second.verdict] > STRICTNESS[first.verdict] ? second : first;
