import { linesOfFindings, type Finding } from '../../core/doctor/findings.js';
import { printLines } from '../print-lines.js';

/** Prints what was found, and what to do about it. */
export const printFindings = (findings: readonly Finding[], isDeep = false): void =>
  printLines(linesOfFindings(findings, isDeep), process.stdout);
