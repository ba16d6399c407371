/** Things by what they have in common, in their order. */
export function groupBy<T>(things: Iterable<T>, keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thing]);
    else group.push(thing);
  }
  return groups;
}

/** The first of each kind. */
export const firstOfEach = <T>(things: Iterable<T>, keyOf: (thing: T) => string): T[] =>
  [...groupBy(things, keyOf).values()].map(([first]) => first!);
