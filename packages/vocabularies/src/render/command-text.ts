import type { ResultOf } from '@codelab/tools';
import { clip } from './clip.js';

/** Characters of a command's output that a model reads: the first and the last. */
const HEAD = 20_000;
const TAIL = 10_000;

/** Both streams as a model reads them, stdout first, without the line end at the end of all. */
export function outputOf({ stdout: out = '', stderr: err = '', truncated, log }: Partial<ResultOf<'run_command'>>): string {
  const between = out === '' || err === '' || out.endsWith('\n') ? '' : '\n';
  const text = `${out}${between}${err}`.replace(/\r?\n$/, '');
  const whole = log !== undefined ? `; all of it: ${log}` : '';
  const clipped = clip(text, { head: HEAD, tail: TAIL, mark: (left) => `[cut: ${String(left)} characters left out${whole}]` });
  return truncated === true && clipped === text ? `${text}\n[cut: the middle of the output was left out${whole}]` : clipped;
}
