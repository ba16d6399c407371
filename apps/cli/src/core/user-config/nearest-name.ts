/** Changes that a slip of the fingers makes at most. */
const MAX_CHANGES = 3;

/** The name that somebody probably meant; undefined where none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, changes: changesBetween(name.toLowerCase(), known) }))
    .filter(({ known, changes }) => changes <= Math.min(MAX_CHANGES, known.length / 2))
    .sort((one, other) => one.changes - other.changes);
  return nearest?.known;
}

/** Letters to put in, take out or replace (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, against] of [...other].entries())
      next.push(Math.min(next[column]! + 1, row[column + 1]! + 1, row[column]! + (letter === against ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
