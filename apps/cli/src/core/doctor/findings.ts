import type { ProgramPlan } from '../programs/plan-program.js';
import type { ProgramNeed } from '../programs/program-need.js';
import { span, type Line, type Span } from '../text/span.js';

const MARKS: Readonly<Record<Finding['state'], Span>> = { right: span('✓', 'good'), note: span('!', 'warn'), wrong: span('✗', 'bad') };

/** A line per finding, the remedies in a line of their own below; the last line says whether CodeLab can run. */
export function linesOfFindings(findings: readonly Finding[], isDeep = false): readonly Line[] {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(({ state, subject, found, remedy }): Line[] => [
    [MARKS[state], span(` ${subject.padEnd(width)}  ${found}`)],
    ...(remedy ? [[span(`  ${' '.repeat(width)}  → ${remedy}`, 'muted')]] : []),
  ]);
  return [...lines, [], [span(isDeep ? verdictOfStack(findings) : verdictOf(findings))]];
}

function verdictOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (wrong > 0) return `${wrong} ${wrong === 1 ? 'thing keeps' : 'things keep'} CodeLab from running.`;
  const isFetched = findings.some(({ fetched }) => fetched);
  return isFetched ? 'Everything that is needed is here, or comes with the first chat.' : 'Everything that is needed is here.';
}

function verdictOfStack(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (wrong > 0) return `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong with this stack.`;
  return findings.some(({ state }) => state === 'note') ? 'The stack works; some things are worth a look.' : 'The stack is well.';
}

/** What `codelab chat` would find, do, or say about a program. `unpackedIn` is where it is put without root. */
export function judgeProgram({ name, use, purpose, remedy }: ProgramNeed, plan: ProgramPlan, unpackedIn: string): Finding {
  if (plan.kind === 'present') return { state: 'right', subject: name, found: plan.version === '' ? plan.path : plan.version };
  const found = `${plan.lack}; ${purpose}`;
  if (plan.kind === 'lacking') return { state: use === 'required' ? 'wrong' : 'note', subject: name, found, remedy };
  const how =
    plan.way === 'install'
      ? `\`codelab chat\` installs it with apt-get: ${plan.packageName}`
      : `\`codelab chat\` gets it with apt-get, without root, into ${unpackedIn}`;
  return { state: 'note', subject: name, found, remedy: how, fetched: true };
}

/** One line of `codelab doctor`. `wrong` makes it exit with 1; `note` is worth knowing and stops nothing. */
export interface Finding {
  readonly state: 'right' | 'note' | 'wrong';
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** It isn't here, and a chat gets it by itself. */
  readonly fetched?: true;
}
