/** `codelab bench code-index [repositories…]`: what the index finds and what it costs; see docs/code-index.md. */
import { measureRecall } from './code-index/measure-recall.js';
import { measureScale } from './code-index/measure-scale.js';

const [what, ...rest] = process.argv.slice(2);
if (what === undefined) {
  await measureRecall('.');
  await measureScale(10_000);
} else if (what === 'recall') for (const repository of rest.length === 0 ? ['.'] : rest) await measureRecall(repository);
else if (what === 'scale') for (const files of rest.length === 0 ? ['10000'] : rest) await measureScale(Number(files));
else {
  process.stderr.write('Usage: bench/code-index.ts recall [repository…] | scale [files…]\n');
  process.exitCode = 2;
}
