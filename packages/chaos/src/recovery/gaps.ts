/**
 * The longest silence after `struckAt`, in milliseconds: what somebody who watches waits for. Frames that were on their way when it struck, and
 * those of a service that serves on while it drains, are no recovery; one that nothing happened to waits for its usual silence.
 */
export function longestSilence(heardAt: readonly number[], struckAt: number): number | undefined {
  const first = heardAt.findIndex((at) => at > struckAt);
  if (first < 0) return undefined;
  const times = [Math.max(heardAt[first - 1] ?? struckAt, struckAt), ...heardAt.slice(first)];
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
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
