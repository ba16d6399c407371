import { createReadStream } from 'node:fs';
import { pick } from '../columns.mjs';
import { parseStream } from '../stream.mjs';
import { stringify } from '../stringify.mjs';
import { summarise } from '../summary.mjs';
import { readArguments } from './arguments.mjs';

/** The command `sheaf`; returns its exit code. `-` is stdin. */
export async function run(argv, { stdin, stdout, stderr }) {
  try {
    const { file, options, columns, output } = readArguments(argv);
    const records = [];
    for await (const record of parseStream(file === '-' ? stdin : createReadStream(file), options)) records.push(record);
    const shown = columns === undefined ? records : pick(records, columns);
    stdout.write(render(shown, output));
    return 0;
  } catch (error) {
    stderr.write(`sheaf: ${error.message}\n`);
    return error.code === 'USAGE' ? 2 : 1;
  }
}

function render(records, output) {
  if (output === 'json') return `${JSON.stringify(records, null, 2)}\n`;
  if (output === 'summary') return `${JSON.stringify(summarise(records), null, 2)}\n`;
  return stringify(records);
}
