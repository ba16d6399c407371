/** The names that look most like `wanted`, the most likely first: at most `count`, none that has next to nothing in common with it. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  const lower = wanted.slice(0, MAX_CHARACTERS).toLowerCase();
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(lower, name.slice(0, MAX_CHARACTERS).toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.max(name.length, lower.length) * 0.6))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Names are short; who sends a long one needs no good guess. */
const MAX_CHARACTERS = 100;

/** Levenshtein: letters to put in, take out or change. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(changed, row[j]! + 1, next[j - 1]! + 1);
    }
    row = next;
  }
  return row[b.length]!;
}
