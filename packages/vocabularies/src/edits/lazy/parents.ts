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

/** Whether a body has one of the named units. */
export function matches(body: Body, units: readonly Unit[]): boolean {
  const keys = new Set(units.flatMap(({ kind, name, key }) => (kind === 'placeholder' || name === undefined ? [] : [key])));
  return keys.size > 0 && body.units.some(({ key }) => keys.has(key));
}
