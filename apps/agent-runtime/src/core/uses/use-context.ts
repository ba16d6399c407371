import { absoluteUnder, NO_MARKS, pathsUnder, type UseContext, VIRTUAL_ROOT } from '@codelab/vocabularies';
import { agentNames } from '../model/agent-modes.js';
import { MAX_VIEW_CHARACTERS } from '../model/offered-tools.js';
import { hasOf } from '../model/who-runs.js';
import type { StepBuilder } from '../turn/step-builder.js';

/** What a row may look at in this step. */
export function useContextOf({ state, context: { facts }, runningTurn }: StepBuilder): UseContext {
  const root = facts.workspace?.root ?? VIRTUAL_ROOT;
  return {
    marks: state.marks ?? NO_MARKS,
    agent: runningTurn.agent,
    agents: agentNames(facts),
    has: hasOf(facts),
    root,
    toPath: pathsUnder(root),
    toAbsolute: absoluteUnder(root),
    maxCharacters: MAX_VIEW_CHARACTERS,
  };
}
