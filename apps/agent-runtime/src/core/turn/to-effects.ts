import type { StepEffects } from '@codelab/bus';
import type { StepBuilder } from './step-builder.js';
import { serialiseState } from './serialise-state.js';
import type { StepInputs } from './step-context.js';
import type { SessionState } from './turn-state.js';

/** What a step writes, or nothing where nothing came in, is said or has changed but what memory alone holds. */
export function toEffects(before: SessionState, after: SessionState, builder: StepBuilder, inputs: StepInputs): StepEffects | undefined {
  const { frames, history, calls, modelRequest, endTurn, meta, audit } = builder;
  const writes = frames.length + history.length + calls.length > 0 || modelRequest !== undefined || endTurn !== undefined;
  if (!writes && inputs.entries.length === 0 && serialiseState(before) === serialiseState(after)) return undefined;
  return {
    inboxUpTo: inputs.entries.at(-1)?.id ?? inputs.inboxDone,
    state: serialiseState({ ...after, commits: before.commits + 1 }),
    frames,
    history,
    calls,
    ...(audit.length === 0 ? {} : { audit }),
    modelRequest,
    endTurn,
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  };
}

/** The cancelled turn that a step knows of, or ''. Told from its inputs, because the step may have ended the turn. */
export function seenCancel({ turn }: SessionState, { entries }: StepInputs): string {
  if (turn?.cancelledAtMs !== undefined) return turn.turnId;
  const turnIds = new Set([turn?.turnId]);
  let seen = '';
  for (const entry of entries) {
    if (entry.kind === 'message' && !entry.steered) turnIds.add(entry.turnId);
    if (entry.kind === 'cancel' && turnIds.has(entry.turnId)) seen = entry.turnId;
  }
  return seen;
}
