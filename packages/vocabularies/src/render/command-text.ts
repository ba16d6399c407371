import type { ResultOf } from '@codelab/tools';
import { clip } from './clip.js';
import { failureLines } from './failure-lines.js';
import { plainOutput } from './plain-output.js';
import { foldTests } from './test-runners/fold-tests.js';

export interface OutputShare {
  /** Characters of the output that a model reads: the first and the last. */
  readonly head: number;
  readonly tail: number;
  /** The lines of the middle that look like failures are shown too. */
  readonly showsFailures?: true;
}

/** What coding models of vendors were taught to expect. */
const USUAL: OutputShare = { head: 20_000, tail: 10_000 };

/** Shorter output is shown as it is, whoever wrote it. */
const SHORT = 2_000;

/**
 * Both streams as a model reads them, stdout first, without the line end at the end of all: as a terminal shows them in the end, and of a test
 * runner that is known what failed (docs/specification/vocabularies.md#output-of-commands).
 */
export function outputOf(result: Partial<ResultOf<'run_command'>>, { head, tail, showsFailures }: OutputShare = USUAL): string {
  const { stdout: out = '', stderr: err = '', truncated, log } = result;
  const between = out === '' || err === '' || out.endsWith('\n') ? '' : '\n';
  const text = plainOutput(`${out}${between}${err}`).replace(/\n$/, '');
  const whole = log !== undefined ? `; all of it: ${log}` : '';
  const folded = text.length > SHORT ? foldTests(text, { limit: head + tail, whole }) : undefined;
  if (folded === undefined && text.length > head + tail) {
    const failures = showsFailures ? failureLines(text.slice(head, -tail)) : [];
    return clip(text, { head, tail, mark: (left) => [`[cut: ${String(left)} characters left out${whole}]`, ...failures].join('\n') });
  }
  const shown = folded ?? text;
  return truncated === true ? `${shown}\n[cut: the middle of the output was left out${whole}]` : shown;
}
