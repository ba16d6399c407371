import type { Seen } from './upstream.js';

/** What a session took. */
export interface Figures {
  /** Requests for the next step of the session itself that were answered. */
  readonly steps: number;
  /** Requests for a summary, and of the agent that was sent to look. */
  readonly summaries: number;
  readonly errands: number;
  /** Requests that were longer than the window. */
  readonly refused: number;
  readonly bytes: number;
  /** Of the requests that were answered. */
  readonly tokens: { readonly median: number; readonly largest: number; readonly sum: number };
}

export function figuresOf(seen: readonly Seen[]): Figures {
  const answered = seen.filter(({ refused }) => !refused);
  const count = (kind: Seen['kind']): number => answered.filter((request) => request.kind === kind).length;
  const tokens = answered.map((request) => request.tokens).sort((a, b) => a - b);
  return {
    steps: count('step'),
    summaries: count('summary'),
    errands: count('errand'),
    refused: seen.length - answered.length,
    bytes: seen.reduce((sum, request) => sum + request.bytes, 0),
    tokens: { median: tokens[tokens.length >> 1] ?? 0, largest: tokens.at(-1) ?? 0, sum: tokens.reduce((sum, one) => sum + one, 0) },
  };
}
