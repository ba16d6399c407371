import type { Undo } from '@codelab/workspace';
import { renderUndoOutcome, renderUndoPlan } from '../../../core/undo/render-undo.js';
import type { Line } from '../../../core/text/span.js';
import { findTurn } from '../../undo/find-turn.js';
import type { CommandContext, CommandEffect } from './command-effect.js';

/** Shows what undoing a turn would do, and does it when the user has said yes to that. */
export const undoTurn: CommandEffect<Pick<CommandContext, 'connected' | 'say'>> = (chat) => {
  let shown: string | undefined;
  return async (text) => {
    const { workspace, client } = await chat.connected();
    const { undo } = workspace;
    const turnId = shown;
    shown = undefined;
    if (text === 'yes') {
      chat.say(await confirm(undo, turnId));
      return turnId === undefined ? undefined : client.tellNews(); // whoever speaks next, the model knows
    }
    const plan = await planOf(undo, text === '' ? undefined : text);
    shown = plan.ready;
    chat.say(plan.text);
  };
};

/** What undoing would do, and the turn if there is something to do: of the turn named, else of the last one that still has its effect. */
async function planOf(undo: Undo, named: string | undefined): Promise<{ readonly text: string; readonly ready?: string }> {
  const turnId = named ?? (await findTurn(undo));
  if (turnId === undefined) return { text: 'There is no turn to undo here.' };
  const plan = await undo.plan(turnId);
  const text = textOf(renderUndoPlan(plan, Date.now(), false));
  if (!plan.steps.some(({ state }) => state === 'ready')) return { text };
  return { text: `${text}\n/undo yes does it.`, ready: plan.turn.turnId };
}

async function confirm(undo: Undo, turnId: string | undefined): Promise<string> {
  if (turnId === undefined) return '/undo shows what would be undone; then say yes.';
  return textOf(renderUndoOutcome(turnId, await undo.restore(turnId)));
}

const textOf = (lines: readonly Line[]): string => lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
