import type { Body, Source, Unit } from './units.js';

/** All bodies of a text but its root, from the outside in. */
export function bodiesOf({ root }: Source): Body[] {
  const found: Body[] = [];
  const open: (readonly Unit[])[] = [root.units];
  for (let units = open.pop(); units !== undefined; units = open.pop())
    for (const { bodies } of units)
      for (const body of bodies) {
        found.push(body);
        open.push(body.units);
      }
  return found;
}

/** The keys of units that have a name, by which the body that they belong to is found. */
export const namedKeys = (units: readonly Unit[]): ReadonlySet<string> =>
  new Set(units.flatMap(({ kind, name, key }) => (kind === 'placeholder' || name === undefined ? [] : [key])));
