import type { PatchLine } from './patch.js';

/** The old side of lines, as context: what is left of a change that is not made. */
export const dropChanges = (lines: readonly PatchLine[]): readonly PatchLine[] =>
  lines.flatMap((line) => (line.sign === '+' ? [] : line.sign === '-' ? [{ ...line, sign: ' ' as const }] : [line]));
