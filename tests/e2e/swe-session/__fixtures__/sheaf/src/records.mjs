import { toCast } from './cast.mjs';
import { toNames, toRecord } from './header.mjs';

/** Turns rows of the tokeniser into what users get; remembers the names between calls. */
export class Records {
  constructor(options) {
    this.cast = toCast(options.cast);
    this.names = Array.isArray(options.header) ? options.header : undefined;
    this.wantsHeader = options.header === true;
  }

  from(rows) {
    const records = [];
    for (const { fields, line } of rows) {
      if (this.wantsHeader && this.names === undefined) {
        this.names = toNames(fields.map(({ text }) => text));
        continue;
      }
      const values = fields.map(({ text, quoted }, place) => this.cast(text, { column: this.names?.[place] ?? place, quoted }));
      records.push(this.names === undefined ? values : toRecord(this.names, values, line));
    }
    return records;
  }
}
