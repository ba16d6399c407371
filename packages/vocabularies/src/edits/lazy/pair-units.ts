import { type Source, Unclear, type Unit } from './units.js';

/**
 * Which unit of the file each unit of the changes is, by key and in order; units without an entry are new.
 * @throws Unclear where a key occurs more often on one side, or the order differs
 */
export function pairUnits({ changes }: { changes: Source }, units: readonly Unit[], changed: readonly Unit[]): ReadonlyMap<number, number> {
  const [there, given] = [placesOf(units), placesOf(changed)];
  const pairs = new Map<number, number>();
  for (const [key, places] of given) {
    const found = there.get(key);
    if (found === undefined) continue;
    const line = changes.lines[changed[places[0]!]!.start];
    if (found.length !== places.length)
      throw new Unclear(
        line,
        found.length > 1 ? `it fits ${String(found.length)} places` : 'it stands in the file once and here more often',
      );
    for (const [at, place] of places.entries()) pairs.set(place, found[at]!);
  }
  let last = -1;
  for (const [place, found] of [...pairs].toSorted(([one], [other]) => one - other)) {
    if (found < last) throw new Unclear(changes.lines[changed[place]!.start], 'the file has it in another order');
    last = found;
  }
  return pairs;
}

function placesOf(units: readonly Unit[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { kind, key }] of units.entries()) {
    if (kind === 'placeholder') continue;
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}
