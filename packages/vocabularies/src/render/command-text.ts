import type { ResultOf } from '@codelab/tools';
import { clip } from './clip.js';
import { plainOutput } from './plain-output.js';
import { foldTests } from './test-runners/fold-tests.js';

/** Characters of a command's output that a model reads: the first and the last. */
const HEAD = 20_000;
const TAIL = 10_000;
/** Shorter output is shown as it is, whoever wrote it. */
const SHORT = 2_000;

/**
 * Both streams as a model reads them, stdout first, without the line end at the end of all: as a terminal shows them in the end, and of a test
 * runner that is known what failed (docs/specification/vocabularies.md#output-of-commands).
 */
export function outputOf({ stdout: out = '', stderr: err = '', truncated, log }: Partial<ResultOf<'run_command'>>): string {
  const between = out === '' || err === '' || out.endsWith('\n') ? '' : '\n';
  const text = plainOutput(`${out}${between}${err}`).replace(/\r?\n$/, '');
  const whole = log !== undefined ? `; all of it: ${log}` : '';
  const folded = text.length > SHORT ? foldTests(text, { limit: HEAD + TAIL, whole }) : undefined;
  const clipped = folded ?? clip(text, { head: HEAD, tail: TAIL, mark: (left) => `[cut: ${String(left)} characters left out${whole}]` });
  return truncated === true && (clipped === text || folded !== undefined)
    ? `${clipped}\n[cut: the middle of the output was left out${whole}]`
    : clipped;
}
