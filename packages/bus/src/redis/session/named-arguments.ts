type Value = string | number | undefined;
/** Arguments of a script by name; what is `undefined` is left out. */
export type Named = Readonly<Record<string, Value>>;
/** An item of a list: what it is, and its fields. */
export type Item = readonly [value: string | number, fields?: Named];

/** Arguments as `includes/arguments` reads them: name, value, name, value …; `+list` begins an item of a list. */
export function namedArguments(fields: Named, lists: Readonly<Record<string, readonly Item[]>> = {}): (string | number)[] {
  const flat: (string | number)[] = [];
  const add = (named: Named): void => {
    for (const name in named) {
      const value = named[name];
      if (value !== undefined) flat.push(name, value);
    }
  };
  add(fields);
  for (const list in lists) {
    for (const [value, more] of lists[list]!) {
      flat.push(`+${list}`, value);
      if (more !== undefined) add(more);
    }
  }
  return flat;
}

/** An item for each of the fields that have a value. */
export const fieldItems = (fields: Named): Item[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }] as const]));
