import { SheafError } from './errors.mjs';

const DEFAULTS = {
  delim: ',',
  quote: '"',
  header: true,
  trim: false,
  skipEmpty: true,
  cast: false,
  maxFieldLength: 1_000_000,
};

/** The options with their defaults. Throws `SheafError` for one that is unknown or makes no sense. */
export function readOptions(given = {}) {
  for (const name of Object.keys(given)) {
    if (!(name in DEFAULTS)) throw new SheafError('UNKNOWN_OPTION', `there is no option ${name}`);
  }
  const options = { ...DEFAULTS, ...given };
  checkCharacter('delim', options.delim);
  checkCharacter('quote', options.quote);
  if (options.delim === options.quote) throw new SheafError('INVALID_OPTION', 'delim and quote are the same');
  if (!Number.isInteger(options.maxFieldLength) || options.maxFieldLength < 1) {
    throw new SheafError('INVALID_OPTION', 'maxFieldLength has to be a whole number from 1');
  }
  if (typeof options.header !== 'boolean' && !Array.isArray(options.header)) {
    throw new SheafError('INVALID_OPTION', 'header has to be true, false or a list of names');
  }
  return options;
}

function checkCharacter(name, value) {
  if (typeof value !== 'string' || [...value].length !== 1) {
    throw new SheafError('INVALID_OPTION', `${name} has to be one character`);
  }
  if (value === '\n' || value === '\r') throw new SheafError('INVALID_OPTION', `${name} can not be a line end`);
}
