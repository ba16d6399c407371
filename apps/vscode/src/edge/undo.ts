import * as vscode from 'vscode';
import { sayAge } from '../core/session/session-entries.js';
import type { CodeLabWindow } from './window.js';

/** Lets the human choose a turn, shows what undoing it would do, and does it. */
export async function undoTurn(window: CodeLabWindow): Promise<void> {
  const { undo } = (await window.join()).folder;
  const turns = (await undo.list()).filter(({ isUndone }) => !isUndone);
  if (turns.length === 0) return void vscode.window.showInformationMessage('CodeLab: no turn has changed a file here.');
  const picked = await vscode.window.showQuickPick(
    turns.map((turn) => ({
      label: turn.undoes === undefined ? turn.calls.map(({ toolName }) => toolName).join(', ') : 'undo (takes the undoing back)',
      description: sayAge(Date.now() - turn.atMs),
      turn,
    })),
    { title: 'Undo what a turn changed' },
  );
  if (!picked) return;
  const plan = await undo.plan(picked.turn.turnId);
  const ready = plan.steps.filter(({ state }) => state === 'ready');
  const conflicts = plan.steps.filter(({ state }) => state === 'conflict');
  const detail = [
    ...ready.map(({ action, path }) => `${action} ${path}`),
    ...conflicts.map(({ path, why }) => `leave ${path}: ${why ?? 'it was changed since'}`),
  ].join('\n');
  if (ready.length === 0 && conflicts.length === 0)
    return void vscode.window.showInformationMessage('CodeLab: everything is as before already.');
  const sure = await vscode.window.showWarningMessage('Undo this turn?', { modal: true, detail }, 'Undo');
  if (sure !== 'Undo') return;
  const { restored, conflicts: left } = await undo.restore(picked.turn.turnId);
  const more = left.length === 0 ? '' : ` ${String(left.length)} were changed since, and stay.`;
  void vscode.window.showInformationMessage(`CodeLab: ${String(restored.length)} files are as before.${more}`);
}
