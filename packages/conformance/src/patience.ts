/** How long the kit waits, in milliseconds. A busy machine is no fault; a check of what must not happen has to wait for it. */
export const PATIENCE = {
  /** For a program to start and to connect. */
  startMs: 60_000,
  /** For an answer, or a connection that comes again. */
  replyMs: 15_000,
  /** For what must not come. */
  quietMs: 400,
  /** For a client that must not come back: its first delay is at most 250 ms. */
  awayMs: 1_500,
} as const;
