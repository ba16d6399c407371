import { SheafError } from './errors.mjs';

/** Names of columns out of the first row: none is empty, none comes twice. */
export function toNames(fields) {
  const seen = new Map();
  return fields.map((field, place) => {
    const name = field === '' ? `column ${place + 1}` : field;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

/** A row as an object. Throws `SheafError` for one with more fields than names. */
export function toRecord(names, values, line) {
  if (values.length > names.length) {
    throw new SheafError('TOO_MANY_FIELDS', `${values.length} fields for ${names.length} columns`, { line, column: 1 });
  }
  return Object.fromEntries(names.map((name, place) => [name, values[place]]));
}
