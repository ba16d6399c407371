/** Only these columns of each record, in this order; one that a record lacks is `undefined`. */
export function pick(records, names) {
  return records.map((record) => Object.fromEntries(names.map((name) => [name, record[name]])));
}

/** Other names for columns: `{ old: 'new' }`. Columns that aren't named stay. */
export function rename(records, names) {
  return records.map((record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value])));
}
