import colors from 'picocolors';
import type { Finding } from './finding.js';

const MARKS: Readonly<Record<Finding['state'], string>> = { right: colors.green('✓'), note: colors.yellow('!'), wrong: colors.red('✗') };

/** A line per finding, the remedies in a line of their own below; the last line says whether CodeLab can run. */
export function renderFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ state, subject, found, remedy }) => [
    `${MARKS[state]} ${subject.padEnd(width)}  ${found}`,
    ...(remedy ? [`  ${' '.repeat(width)}  ${colors.dim(`→ ${remedy}`)}`] : []),
  ]);
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  const verdict =
    wrong === 0 ? 'Everything that is needed is here.' : `${wrong} ${wrong === 1 ? 'thing keeps' : 'things keep'} CodeLab from running.`;
  return [...lines, '', verdict, ''].join('\n');
}
