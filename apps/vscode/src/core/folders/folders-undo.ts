import type { UndoOutcome, UndoPlan, UndoTurn } from '@codelab/workspace';
import type { WindowFolder, WindowFolders } from './window-folders.js';

/** Takes back what turns did to files, in all folders of the window that a turn worked in. */
export class FolderUndo {
  constructor(private readonly folders: WindowFolders) {}

  /** The turns that changed files, newest first. */
  async list(): Promise<readonly UndoTurn[]> {
    const turns = new Map<string, UndoTurn>();
    for (const { workspace } of this.folders.all) {
      for (const turn of await workspace.undo.list()) {
        const known = turns.get(turn.turnId);
        turns.set(turn.turnId, known === undefined ? turn : join(known, turn));
      }
    }
    return [...turns.values()].sort((one, other) => other.atMs - one.atMs);
  }

  /** What undoing a turn would do now, by paths of the window. */
  async plan(turnId: string): Promise<Pick<UndoPlan, 'steps'>> {
    const plans = await this.inEach(turnId, async (folder) => ({ folder, plan: await folder.workspace.undo.plan(turnId) }));
    return { steps: plans.flatMap(({ folder, plan: { steps } }) => this.named(folder, steps)) };
  }

  /** Undoes it, folder by folder. */
  async restore(turnId: string): Promise<Pick<UndoOutcome, 'restored' | 'conflicts'>> {
    const outcomes = await this.inEach(turnId, async (folder) => {
      const { restored, conflicts } = await folder.workspace.undo.restore(turnId);
      return { restored: this.named(folder, restored), conflicts: this.named(folder, conflicts) };
    });
    return { restored: outcomes.flatMap(({ restored }) => restored), conflicts: outcomes.flatMap(({ conflicts }) => conflicts) };
  }

  private async inEach<Result>(turnId: string, work: (folder: WindowFolder) => Promise<Result>): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const folder of this.folders.all) {
      const turns = await folder.workspace.undo.list();
      if (turns.some((turn) => turn.turnId === turnId)) results.push(await work(folder));
    }
    return results;
  }

  private named(folder: WindowFolder, steps: UndoPlan['steps']): UndoPlan['steps'] {
    return steps.map((step) => ({ ...step, path: this.folders.name({ folder, path: step.path }) }));
  }
}

const join = (one: UndoTurn, other: UndoTurn): UndoTurn => ({
  ...one,
  atMs: Math.min(one.atMs, other.atMs),
  calls: [...one.calls, ...other.calls].sort((first, second) => first.atMs - second.atMs),
  isUndone: one.isUndone && other.isUndone,
  uncovered: [...one.uncovered, ...other.uncovered],
});
