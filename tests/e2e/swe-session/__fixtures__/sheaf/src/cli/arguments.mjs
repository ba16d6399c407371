import { SheafError } from '../errors.mjs';

const USAGE = 'usage: sheaf [--delim X] [--columns a,b] [--cast] [--json | --summary] FILE';

/** What stands behind `--name`, and what it becomes. */
const WITH_VALUE = {
  '--delim': (value) => ({ options: { delim: value === '\\t' ? '\t' : value } }),
  '--columns': (value) => ({ columns: value.split(',') }),
};
const ALONE = {
  '--cast': { options: { cast: true } },
  '--json': { output: 'json' },
  '--summary': { output: 'summary' },
};

/** Reads the command line. Throws `SheafError` with the code `USAGE`. */
export function readArguments(argv) {
  let read = { options: {}, output: 'csv' };
  const files = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at];
    if (word in ALONE) read = merge(read, ALONE[word]);
    else if (word in WITH_VALUE) {
      at += 1;
      if (argv[at] === undefined) throw new SheafError('USAGE', `${word} needs a value; ${USAGE}`);
      read = merge(read, WITH_VALUE[word](argv[at]));
    } else if (word.startsWith('--')) throw new SheafError('USAGE', `there is no ${word}; ${USAGE}`);
    else files.push(word);
  }
  if (files.length !== 1) throw new SheafError('USAGE', USAGE);
  return { ...read, file: files[0] };
}

const merge = (read, more) => ({ ...read, ...more, options: { ...read.options, ...more.options } });
