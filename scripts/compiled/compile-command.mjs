/**
 * Runs the command whose chunks lie in the folder that is named first, with the words that follow, and keeps what V8 has compiled by its end, beside each chunk
 * that it took. It runs as a child of `bundle-command.mjs`; what one run has kept, the next one adds to.
 */
import { writeFileSync } from 'node:fs';
import { chunksOf } from './load-chunks.mjs';

const [folder] = process.argv.splice(2, 1);
const chunks = chunksOf(folder);

process.on('exit', () => {
  for (const { file, compiled } of chunks.loaded()) writeFileSync(`${file}.cache`, compiled.toCache());
});
await chunks.load('command.cjs').ended;
