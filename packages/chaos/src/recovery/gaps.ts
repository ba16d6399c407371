/**
 * When frames came again: of the silences that end after `struckAt`, the end of the longest, in milliseconds since then. Frames that were on
 * their way when it struck don't count as a recovery, and one that nothing happened to recovers within its usual silence.
 */
export function recoveryOf(heardAt: readonly number[], struckAt: number): number | undefined {
  const first = heardAt.findIndex((at) => at > struckAt);
  if (first < 0) return undefined;
  const after = heardAt.slice(first);
  const silences = after.map((at, index) => ({
    at,
    ms: at - (index === 0 ? Math.max(heardAt[first - 1] ?? struckAt, struckAt) : (after[index - 1] ?? at)),
  }));
  const longest = silences.reduce((most, each) => (each.ms > most.ms ? each : most));
  return longest.at - struckAt;
}

/** Whether frames have come without a silence of `quietMs`, for `forMs` up to now. */
export function isSteady(
  heardAt: readonly number[],
  nowMs: number,
  { quietMs, forMs }: { readonly quietMs: number; readonly forMs: number },
): boolean {
  const recent = [nowMs - forMs, ...heardAt.filter((at) => at > nowMs - forMs), nowMs];
  return recent.every((at, index) => index === 0 || at - (recent[index - 1] ?? at) < quietMs);
}
