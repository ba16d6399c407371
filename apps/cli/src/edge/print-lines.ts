import type { WriteStream } from 'node:tty';
import { paintLine } from '../core/text/paint-line.js';
import type { Line } from '../core/text/span.js';
import { userTheme } from './user-config/read-settings.js';

/** Whether colours may be written there. */
export const inColour = (out: WriteStream): boolean => out.isTTY && userTheme() !== undefined;

/** Prints lines for people. */
export function printLines(lines: readonly Line[], out: WriteStream): void {
  const theme = out.isTTY ? userTheme() : undefined;
  out.write(lines.map((line) => `${paintLine(line, theme).trimEnd()}\n`).join(''));
}
