const FIRST_MS = 50;
/** Who waits for Redis waits for this, too. */
const LONGEST_MS = 500;

/** How long to wait before connecting for the `times`th time in a row: doubling, at most 0.5 s, with half of it random. Never gives up. */
export const reconnectDelay = (times: number): number => {
  const delay = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(times - 1, 10));
  return Math.round(delay * (0.5 + Math.random() / 2));
};
