import type { UndoneFiles } from '@codelab/protocol';
import { randomUUID } from 'node:crypto';
import type { FileChange } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { CallName, Backups } from '../backups/backups.js';
import { toToolError } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import type { CommandWatch } from './snapshots/command-watch.js';
import { undoNames } from './name-steps.js';
import type { NetEffect } from './net-effects.js';
import { PathHistory } from './path-history.js';
import { recentUndoings } from './recent-undoings.js';
import { simulateUndo } from './simulate-undo.js';
import { lookAtDisk, planStep, type PlannedStep, type UndoStep } from './undo-plan.js';
import { toSegments } from './undo-segment.js';
import { findEffective, groupTurns, toUndoCallId, UNDO_TOOL, type TurnCalls, type UndoTurn } from './undo-turn.js';

/** What undoing a turn would do now. */
export interface UndoPlan {
  readonly turn: UndoTurn;
  readonly steps: readonly UndoStep[];
}

/** What undoing a turn did. */
export interface UndoOutcome {
  /** Undoes the undoing; absent if nothing was changed. */
  readonly undoId?: string;
  readonly restored: readonly UndoStep[];
  /** What was not touched, and why. */
  readonly conflicts: readonly UndoStep[];
}

/** What undoing works on. */
interface UndoParts {
  readonly files: WorkspaceFiles;
  readonly backups: Backups;
  readonly commands: CommandWatch;
}

/** Calls that are looked through for what was undone lately. */
const LOOKED_AT_CALLS = 200;

/** Files that are in memory at once, and change together. */
const BATCH = 64;

/** Which turn is undone, and as what. */
interface UndoNames {
  readonly turnId: string;
  readonly undoId: string;
}

const toCall = ({ turnId, undoId }: UndoNames): CallName => ({ turn_id: undoId, call_id: toUndoCallId(turnId), tool_name: UNDO_TOOL });

const toReady = ({ path, action }: PlannedStep): UndoStep => ({ path, action, state: 'ready' });

const toStep = ({ now: _now, effect: _effect, ...step }: PlannedStep): UndoStep => step;

/** Takes back what turns did to files, turn by turn: exactly their files, and only those that nobody has touched since. */
export class Undo {
  constructor(private readonly parts: UndoParts) {}

  /** The turns that changed files, newest first. */
  async list(): Promise<readonly UndoTurn[]> {
    return (await this.turns()).map(({ turn }) => turn);
  }

  /** What was undone lately, the latest last: which files went back. */
  async recent(): Promise<readonly UndoneFiles[]> {
    return recentUndoings(await this.parts.backups.list({ newest: LOOKED_AT_CALLS }));
  }

  /**
   * What undoing a turn would do now. Changes nothing.
   *
   * @param turnId a turn of {@link list}; its beginning will do, if it is the only one with it
   * @throws ToolFailure `FILE_NOT_FOUND` if nothing of such a turn is kept
   */
  async plan(turnId: string): Promise<UndoPlan> {
    const { turn, effective } = await this.find(turnId);
    return { turn, steps: await simulateUndo(toSegments(effective.calls), this.parts) };
  }

  /**
   * Undoes a turn: each file that is as the turn left it becomes what it was before, the others stay as they are. A crash in the middle
   * leaves each file whole, and calling it again does the rest.
   *
   * @param options `force`: files that were changed since go back too
   * @throws ToolFailure as {@link plan}; a single file that can't be changed is a conflict of the outcome
   */
  async restore(turnId: string, { force = false }: { readonly force?: boolean } = {}): Promise<UndoOutcome> {
    const { effective } = await this.find(turnId);
    const undoId = `undo_${randomUUID()}`;
    const names = { turnId: effective.turn.turnId, undoId };
    const steps: UndoStep[] = [];
    const view = { later: new PathHistory(), look: lookAtDisk(this.parts.files) };
    for (const segment of toSegments(effective.calls)) {
      if (segment.kind === 'files') steps.push(...(await this.restoreFiles(segment.effects, names, force)));
      else steps.push(...(await undoNames(segment.effects, this.parts, view, toCall(names))));
    }
    const restored = steps.filter(({ state }) => state === 'ready');
    const conflicts = steps.filter(({ state }) => state === 'conflict');
    return { restored, conflicts, ...(restored.length > 0 && { undoId }) };
  }

  private async restoreFiles(effects: readonly NetEffect[], names: UndoNames, force: boolean): Promise<readonly UndoStep[]> {
    const steps: UndoStep[] = [];
    const look = lookAtDisk(this.parts.files);
    for (let at = 0; at < effects.length; at += BATCH) {
      const planned: PlannedStep[] = [];
      for (const effect of effects.slice(at, at + BATCH)) planned.push(await planStep(effect, this.parts.backups, look));
      const ready = planned.filter(({ state, canForce }) => state === 'ready' || (force && canForce === true));
      const failed = await this.commitOr(ready, names);
      const went = ready.filter(({ path }) => !failed.some((step) => step.path === path));
      steps.push(...planned.filter((step) => !ready.includes(step)).map(toStep), ...failed, ...went.map(toReady));
    }
    return steps;
  }

  /** Changes files together; if one is in the way, each by itself. Returns those that stayed as they were. */
  private async commitOr(
    steps: readonly PlannedStep[],
    names: { readonly turnId: string; readonly undoId: string },
  ): Promise<readonly UndoStep[]> {
    if (steps.length === 0) return [];
    try {
      await this.commit(steps, names);
      return [];
    } catch (error) {
      if (steps.length === 1) return steps.map((step) => ({ ...toStep(step), state: 'conflict', why: toToolError(error).message }));
      const failed: UndoStep[] = [];
      for (const step of steps) failed.push(...(await this.commitOr([step], names)));
      return failed;
    }
  }

  private async commit(steps: readonly PlannedStep[], names: UndoNames): Promise<void> {
    const { files, backups } = this.parts;
    const call = toCall(names);
    const changes = await Promise.all(steps.map((step) => this.toChange(step)));
    await files.commit(
      { changes },
      {
        links: 'follow',
        signal: new AbortController().signal,
        keep: (temporaries) => backups.begin(call, { changes, temporaries }),
      },
    );
    for (const { path, after } of changes) if (after === undefined) await files.removeEmptyParents(path);
  }

  /** Bits that the turn did not touch stay as they are now. */
  private async toChange({ effect: { path, before, after }, now }: PlannedStep): Promise<FileChange> {
    const place = toWorkspacePath(path);
    const base = { path: place, before: now };
    if (before === null) return base;
    const content = await this.parts.backups.content(before.sha256);
    if (content === undefined) throw new ToolFailure('FILE_NOT_FOUND', `The old content of ${path} is kept no longer.`);
    const keepsMode = now !== undefined && after !== null && before.mode === after.mode;
    return { ...base, after: { content, mode: keepsMode ? now.mode : before.mode } };
  }

  private async find(turnId: string): Promise<{ readonly turn: UndoTurn; readonly effective: TurnCalls }> {
    const turns = await this.turns();
    const exact = turns.find(({ turn }) => turn.turnId === turnId);
    const alike = exact === undefined ? turns.filter(({ turn }) => turn.turnId.startsWith(turnId)) : [exact];
    const [found] = alike;
    if (found !== undefined && alike.length === 1 && turnId !== '') return { turn: found.turn, effective: findEffective(found, turns) };
    const what = alike.length > 1 ? `${String(alike.length)} turns begin with ${turnId}` : `Nothing of a turn ${turnId} is kept`;
    throw new ToolFailure('FILE_NOT_FOUND', `${what}; name one of the list.`);
  }

  private async turns(): Promise<readonly TurnCalls[]> {
    await this.parts.commands.settle();
    return groupTurns(await this.parts.backups.list());
  }
}
