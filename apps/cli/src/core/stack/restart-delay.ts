const FIRST_MS = 100;
const LONGEST_MS = 5_000;
/** A process that lived this long has earned a fresh start. */
const HEALTHY_MS = 30_000;

/** How often a process has died in a row, and how long to wait before it is started again: 100 ms, doubled up to 5 s. */
export function nextRestart(deathsBefore: number, livedMs: number): { readonly deaths: number; readonly delayMs: number } {
  const deaths = livedMs >= HEALTHY_MS ? 1 : deathsBefore + 1;
  return { deaths, delayMs: Math.min(FIRST_MS * 2 ** (deaths - 1), LONGEST_MS) };
}
