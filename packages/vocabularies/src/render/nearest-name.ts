const MAX_NAMES = 2_000;

/** The name that most likely was meant: the same in another letter case, else one that differs in few letters. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const lower = wanted.toLowerCase();
  const allowed = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)));
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names.slice(0, MAX_NAMES)) {
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance <= allowed && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** Letters to insert, delete or replace on the way from one text to the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let place = 1; place <= other.length; place++) {
      const replaced = row[place - 1]! + (one[line - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[place]! + 1, next[place - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
