import type { ResultOf } from '@codelab/tools';
import { RE2JS } from 're2js';
import { clip } from '../render/clip.js';
import { foldTests } from '../render/test-runners/fold-tests.js';
import { failureLines } from './failure-lines.js';

/** Characters kept of the beginning and of the end; with what is said of the middle it is below 30,000. */
const HEAD = 15_000;
const TAIL = 9_000;
/** Shorter output is shown as it is, whoever wrote it. */
const SHORT = 2_000;

const ESCAPE = '\u001B';
/** Colours, movements of the cursor, titles and links of a terminal. */
const SEQUENCES = RE2JS.compile(String.raw`\x1B\[[0-?]*[ -/]*[@-~]|\x1B\][^\x07\x1B]*(?:\x07|\x1B\\)|\x1B[@-Z\\-_]`);

/** What a terminal would show in the end: no escape sequences, and of a line that was written over and over (progress) only the last text. */
export function plainText(output: string): string {
  const text = output.includes(ESCAPE) ? SEQUENCES.matcher(output).replaceAll('') : output;
  return text.includes('\r') ? text.split('\n').map(lastWritten).join('\n') : text;
}

const lastWritten = (line: string): string => {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
};

/** Both streams, stdout first. Of what is too long the beginning and the end, and the lines of the middle that tell of failures. */
export function commandOutput({ stdout = '', stderr = '', truncated, log }: Partial<ResultOf<'run_command'>>): string {
  const [out, err] = [plainText(stdout), plainText(stderr)];
  const between = out === '' || err === '' || out.endsWith('\n') ? '' : '\n';
  const text = `${out}${between}${err}`.replace(/\n$/, '');
  const whole = log !== undefined ? `; all of it: ${log}` : '';
  const folded = text.length > SHORT ? foldTests(text, { limit: HEAD + TAIL, whole }) : undefined;
  if (folded !== undefined) return truncated === true ? `${folded}\n[cut: the middle of the output was left out${whole}]` : folded;
  if (text.length <= HEAD + TAIL) return truncated === true ? `${text}\n[cut: the middle of the output was left out${whole}]` : text;
  const failures = failureLines(text.slice(HEAD, -TAIL));
  const mark = (left: number): string => [`[cut: ${String(left)} characters left out${whole}]`, ...failures].join('\n');
  return clip(text, { head: HEAD, tail: TAIL, mark });
}
