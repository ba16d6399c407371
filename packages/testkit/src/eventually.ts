const POLL_MS = 10;

/** How long a test waits for what must come: a machine that is busy with other things is no fault. */
export const PATIENCE_MS = 45_000;

/** Polls until `probe` answers something true, and answers that. Throws after `withinMs` (45 s) with what was waited for. */
export async function eventually<T>(
  what: string,
  probe: () => T | Promise<T>,
  { withinMs = PATIENCE_MS }: { readonly withinMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${String(withinMs)} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
