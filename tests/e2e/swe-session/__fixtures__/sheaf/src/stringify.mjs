import { readOptions } from './options.mjs';
import { toField } from './quote.mjs';

/** Records as text: objects with a header of all their names, arrays without one. Throws `SheafError` for options. */
export function stringify(records, given) {
  const options = readOptions(given);
  const toRow = (values) => `${values.map((value) => toField(value, options)).join(options.delim)}\n`;
  if (records.every((record) => Array.isArray(record))) return records.map(toRow).join('');
  const names = Array.isArray(options.header) ? options.header : [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => toRow(names.map((name) => record[name])));
  return (options.header === false ? '' : toRow(names)) + rows.join('');
}
