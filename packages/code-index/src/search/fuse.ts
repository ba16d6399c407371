/** What makes the first places of a list count less against those behind them; the usual value. */
const SMOOTHING = 60;

/** Several orders of the same things as one: by the sum of what each place is worth (reciprocal rank fusion). */
export function fuse(orders: readonly (readonly number[])[]): readonly { readonly id: number; readonly score: number }[] {
  const scores = new Map<number, number>();
  for (const order of orders) order.forEach((id, place) => scores.set(id, (scores.get(id) ?? 0) + 1 / (SMOOTHING + place + 1)));
  return [...scores].map(([id, score]) => ({ id, score })).sort((one, other) => other.score - one.score || one.id - other.id);
}
