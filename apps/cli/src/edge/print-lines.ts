import type { WriteStream } from 'node:tty';
import { paintLine } from '../core/text/paint-line.js';
import type { Line } from '../core/text/span.js';
import { readCliConfig } from './config.js';

/** Whether colours may be written there. */
export const inColour = (out: WriteStream): boolean => out.isTTY && readCliConfig().noColor === undefined;

/** Prints lines for people. */
export function printLines(lines: readonly Line[], out: WriteStream): void {
  const colour = inColour(out);
  out.write(lines.map((line) => `${paintLine(line, colour).trimEnd()}\n`).join(''));
}
