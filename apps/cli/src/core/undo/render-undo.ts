import { formatPlural } from '@codelab/client/view';
import type { UndoOutcome, UndoPlan, UndoStep, UndoTurn } from '@codelab/workspace';
import { formatAge } from '../sessions/render-sessions.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type StyleName } from '../text/span.js';

/** The turns that can be undone without being named, newest first: undoings are not undone by themselves. */
export const undoableTurns = (turns: readonly UndoTurn[]): readonly UndoTurn[] =>
  turns.filter(({ undoes, isUndone }) => undoes === undefined && !isUndone);

/** Lines of a plan that are shown; of the rest the number is told. */
const MAX_STEPS = 200;

/** Calls that are named of a turn. */
const MAX_CALLS = 4;

const SIGNS: Readonly<Record<UndoStep['action'], readonly [sign: string, style: StyleName]>> = {
  create: ['+', 'good'],
  remove: ['-', 'bad'],
  restore: ['~', 'warn'],
  move: ['>', 'warn'],
};

const describeCalls = ({ calls }: UndoTurn): string => {
  const counts = new Map<string, number>();
  for (const { toolName } of calls) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  const named = [...counts].slice(0, MAX_CALLS).map(([name, count]) => (count === 1 ? name : `${name} × ${count}`));
  return safe([...named, ...(counts.size > MAX_CALLS ? ['…'] : [])].join(', '));
};

const describeTurn = (turn: UndoTurn): string => (turn.undoes === undefined ? describeCalls(turn) : safe(`undoes ${turn.undoes}`));

/** Characters of a path, or of a reason, on one line. */
const MAX_CHARACTERS = 300;

const safe = (text: string): string => sanitiseLine(text, MAX_CHARACTERS);

/** `src/a.ts`, `dir (3 files)`, `a.txt, back from b.txt` */
const describeStep = ({ path, files, from }: UndoStep): string =>
  safe(
    `${path}${files === undefined || files === 1 ? '' : ` (${formatPlural(files, 'file')})`}${from === undefined ? '' : `, back from ${from}`}`,
  );

const renderSteps = (steps: readonly UndoStep[]): readonly Line[] => [
  ...steps.slice(0, MAX_STEPS).map((step): Line => {
    const [sign, style] = SIGNS[step.action];
    return [span(`  ${sign} `, style), span(describeStep(step))];
  }),
  ...(steps.length > MAX_STEPS ? [[span(`  … and ${steps.length - MAX_STEPS} more`, 'muted')]] : []),
];

const renderConflicts = (steps: readonly UndoStep[]): readonly Line[] => [
  ...steps
    .slice(0, MAX_STEPS)
    .map((step): Line => [span('  ! ', 'bad'), span(describeStep(step)), span(safe(`: ${step.why ?? ''}`), 'muted')]),
  ...(steps.length > MAX_STEPS ? [[span(`  … and ${steps.length - MAX_STEPS} more`, 'muted')]] : []),
];

const adviseOn = (turnId: string, conflicts: readonly UndoStep[]): readonly Line[] => {
  if (conflicts.length === 0) return [];
  const can = conflicts.some(({ canForce }) => canForce);
  const words = can
    ? `They stay as they are. To put them back all the same, and lose what was changed since: codelab undo ${safe(turnId)} --force`
    : 'They stay as they are. Put right what is in the way, and undo the turn again for the rest.';
  return [[span(words, 'muted')]];
};

/** The turns that can be undone, newest first. */
export function renderUndoTurns(turns: readonly UndoTurn[], nowMs: number): readonly Line[] {
  if (turns.length === 0) return [[span('No turn has changed files here.', 'muted')]];
  return turns.map((turn) => [
    span(safe(turn.turnId), turn.isUndone ? 'muted' : 'accent'),
    span(`  ${formatAge(turn.atMs, nowMs)}  `, 'muted'),
    span(describeTurn(turn), turn.isUndone ? 'muted' : 'plain'),
    span(turn.isUndone ? '  (undone)' : '', 'muted'),
    span(turn.uncovered.length === 0 ? '' : `  (${formatPlural(turn.uncovered.length, 'thing')} not covered)`, 'warn'),
  ]);
}

/** What undoing a turn would do, before it is done. */
export function renderUndoPlan({ turn, steps }: UndoPlan, nowMs: number, force: boolean): readonly Line[] {
  const goes = steps.filter((step) => step.state === 'ready' || (force && step.canForce === true));
  const stays = steps.filter((step) => step.state === 'conflict' && !goes.includes(step));
  return [
    [span('Undo '), span(safe(turn.turnId), 'accent'), span(` (${formatAge(turn.atMs, nowMs)}): ${describeTurn(turn)}`, 'muted')],
    ...(goes.length === 0 ? [[span('  nothing to put back', 'muted')]] : renderSteps(goes)),
    ...(stays.length === 0 ? [] : [[span('In the way:', 'warn')], ...renderConflicts(stays)]),
    ...turn.uncovered.map((sentence): Line => [span(`  ${safe(sentence)}`, 'muted')]),
  ];
}

/** What undoing a turn did. */
export function renderUndoOutcome(turnId: string, { restored, conflicts, undoId }: UndoOutcome): readonly Line[] {
  const done = restored.length === 0 ? 'Nothing was changed.' : `Undone: ${formatPlural(restored.length, 'change')}.`;
  return [
    [
      span(done, restored.length === 0 ? 'warn' : 'good'),
      span(undoId === undefined ? '' : ` To do it again: codelab undo ${undoId}`, 'muted'),
    ],
    ...(conflicts.length === 0 ? [] : [[span(`Not undone: ${formatPlural(conflicts.length, 'change')}.`, 'warn')]]),
    ...renderConflicts(conflicts),
    ...adviseOn(turnId, conflicts),
  ];
}
