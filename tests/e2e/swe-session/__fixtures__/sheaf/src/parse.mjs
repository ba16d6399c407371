import { readOptions } from './options.mjs';
import { Records } from './records.mjs';
import { Tokeniser } from './tokenise.mjs';

/** All records of a text. Throws `SheafError`. */
export function parse(text, given) {
  const options = readOptions(given);
  const tokeniser = new Tokeniser(options);
  const records = new Records(options);
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return [...records.from(tokeniser.write(body)), ...records.from(tokeniser.end())];
}
