import type { StepDelta } from '@codelab/bus';
import { hasHole } from '../model/stream-text.js';
import { type SessionState, type Step, stepOf } from '../turn/turn-state.js';

/** How often the record of a step is read for text that is missing; the text there lags by half a second. */
const HOLE_PAUSE_MS = 300;

/** After this silence the record of a step is read, and each further time after twice as long. */
const QUIET_MS = 5_000;
const MAX_QUIET_MS = 60_000;

/** Deltas that wait for a commit; beyond, they are dropped and the text is read from the record (G4). */
const MAX_DELTAS = 4_096;

/** Whether a time has come; a clock that went back makes nothing wait longer than it may. */
const hasCome = (atMs: number, nowMs: number): boolean => nowMs >= atMs || atMs > nowMs + MAX_QUIET_MS;

/**
 * Watches over a model request: collects what the proxy announces, and knows when its record should be read: because text is missing,
 * because this runtime has only just come, or because nothing is heard of it.
 */
export class StepWatch {
  private deltas: StepDelta[] = [];
  private stepId = '';
  private quietMs = QUIET_MS;
  private readAtMs = 0;
  private lastReadMs = 0;

  hear(delta: StepDelta): void {
    if (this.deltas.length < MAX_DELTAS) this.deltas.push(delta);
    else this.readAtMs = 0;
  }

  /** The deltas since the last time. */
  take(nowMs: number): readonly StepDelta[] {
    const deltas = this.deltas;
    this.deltas = [];
    if (deltas.some(({ stepId }) => stepId === this.stepId)) this.calm(nowMs);
    return deltas;
  }

  /** Deltas that were taken and had no effect. */
  giveBack(deltas: readonly StepDelta[]): void {
    this.deltas = [...deltas, ...this.deltas];
  }

  /** Begins to watch the request that is out, if it is another one than before. `attach`: another runtime made it. */
  follow(state: SessionState, nowMs: number, attach = false): void {
    const step = stepOf(state.turn);
    if (step === undefined || step.stepId === this.stepId) return;
    this.stepId = step.stepId;
    this.calm(nowMs);
    if (attach) this.readAtMs = nowMs;
  }

  /** When the record should be read. */
  readAt(step: Step): number {
    return hasHole(step) ? Math.min(this.readAtMs, this.lastReadMs + HOLE_PAUSE_MS) : this.readAtMs;
  }

  /** Whether the record should be read now. */
  isDue(step: Step, nowMs: number): boolean {
    return hasCome(this.readAt(step), nowMs);
  }

  /** Whether nothing was heard for so long that nobody may be at work. */
  isQuiet(nowMs: number): boolean {
    return hasCome(this.readAtMs, nowMs);
  }

  /** The record was read. */
  wasRead(nowMs: number): void {
    this.lastReadMs = nowMs;
    this.readAtMs = nowMs + this.quietMs;
    this.quietMs = Math.min(this.quietMs * 2, MAX_QUIET_MS);
  }

  /** The store was away, and what became of the request then was told to nobody. */
  doubt(nowMs: number): void {
    this.calm(nowMs);
    this.readAtMs = nowMs;
  }

  private calm(nowMs: number): void {
    this.quietMs = QUIET_MS;
    this.readAtMs = nowMs + QUIET_MS;
  }
}
