import type { CallOutput } from '../session-view.js';

/**
 * What steers a terminal: control sequences (colours, cursor), operating system commands, device control strings, and short escapes. What
 * is left of one that isn't whole is shown as any other character that can't be printed.
 */
// oxlint-disable-next-line no-control-regex
const STEERING = /[\x1b\x9b](?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;

/** Text without what steers a terminal. */
export const stripSteering = (text: string): string => text.replace(STEERING, '');

/**
 * The last lines of what was printed, as a terminal would leave them: colours and what moves a cursor taken away, and of a line that was
 * written over again and again what stands there last.
 */
export function lastLines({ tail }: Pick<CallOutput, 'tail'>, count: number): readonly string[] {
  const lines = stripSteering(tail)
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').replace(/^.*\r/s, ''));
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.slice(-count);
}
