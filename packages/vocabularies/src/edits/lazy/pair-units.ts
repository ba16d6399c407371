import { type Source, Unclear, type Unit } from './units.js';

/**
 * Which unit of the file each unit of the changes is, by key and in order; units without an entry are new. Of several with one key, as overloads
 * have, it is the only one whose lines around its bodies are the same.
 * @throws Unclear where a key occurs more often on one side and these lines don't tell, or the order differs
 */
export function pairUnits(
  { file, changes }: { file: Source; changes: Source },
  units: readonly Unit[],
  changed: readonly Unit[],
): ReadonlyMap<number, number> {
  const [there, given] = [placesOf(units), placesOf(changed)];
  const pairs = new Map<number, number>();
  for (const [key, places] of given) {
    const found = there.get(key);
    if (found === undefined) continue;
    const line = changes.lines[changed[places[0]!]!.start];
    const byFrame = found.length === places.length ? undefined : pairByFrame(found, places);
    if (byFrame !== undefined) {
      for (const [place, at] of byFrame) pairs.set(place, at);
      continue;
    }
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

  function pairByFrame(found: readonly number[], places: readonly number[]): (readonly [number, number])[] | undefined {
    const there = placesBy(found, (at) => frameOf(file, units[at]!));
    const given = placesBy(places, (place) => frameOf(changes, changed[place]!));
    const one = [...given].flatMap(([frame, [place, ...others]]) => {
      const [at, ...twins] = there.get(frame) ?? [];
      return at === undefined || others.length + twins.length > 0 ? [] : [[place!, at] as const];
    });
    return one.length === places.length ? one : undefined;
  }
}

/** The lines of a unit around its bodies, blanks apart. */
function frameOf({ lines }: Source, { start, last, bodies }: Unit): string {
  const around: string[] = [];
  let row = start;
  for (const body of [...bodies, { first: last + 1, last }]) {
    around.push(...lines.slice(row, body.first));
    row = body.last + 1;
  }
  return around.join(' ').replace(/\s+/g, ' ').trim();
}

function placesBy(places: readonly number[], keyOf: (place: number) => string): Map<string, number[]> {
  const by = new Map<string, number[]>();
  for (const place of places) {
    const known = by.get(keyOf(place));
    if (known === undefined) by.set(keyOf(place), [place]);
    else known.push(place);
  }
  return by;
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
