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
  return [...lines, '', verdictOf(findings), ''].join('\n');
}

function verdictOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (wrong > 0) return `${wrong} ${wrong === 1 ? 'thing keeps' : 'things keep'} CodeLab from running.`;
  const isFetched = findings.some(({ fetched }) => fetched);
  return isFetched ? 'Everything that is needed is here, or comes with the first chat.' : 'Everything that is needed is here.';
}
