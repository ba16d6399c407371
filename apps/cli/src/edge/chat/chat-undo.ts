import type { Workspace } from '@codelab/workspace';
import { renderUndoOutcome, renderUndoPlan } from '../../core/undo/render-undo.js';
import { findTurn } from '../undo/find-turn.js';
import type { Line } from '../../core/text/span.js';
/** `/undo` in a conversation: shows what undoing a turn would do, and does it when the user has said yes to that. */
export class ChatUndo {
  private shown: string | undefined;

  constructor(private readonly undo: Workspace['undo']) {}

  /** What undoing would do: of the turn named, else of the last one that still has its effect. Throws what `Undo` throws. */
  async show(named: string | undefined): Promise<string> {
    this.shown = undefined;
    const turnId = named ?? (await findTurn(this.undo));
    if (turnId === undefined) return 'There is no turn to undo here.';
    const plan = await this.undo.plan(turnId);
    const text = textOf(renderUndoPlan(plan, Date.now(), false));
    if (!plan.steps.some(({ state }) => state === 'ready')) return text;
    this.shown = plan.turn.turnId;
    return `${text}\n/undo yes does it.`;
  }

  /** Undoes the turn that was shown last. */
  async confirm(): Promise<string> {
    const turnId = this.shown;
    if (turnId === undefined) return '/undo shows what would be undone; then say yes.';
    this.shown = undefined;
    return textOf(renderUndoOutcome(turnId, await this.undo.restore(turnId)));
  }
}

const textOf = (lines: readonly Line[]): string => lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
