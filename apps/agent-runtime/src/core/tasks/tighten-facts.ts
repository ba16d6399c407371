import type { SessionMeta } from '@codelab/bus';
import { judgedMode, type PolicyMode } from '@codelab/tools';
import { findAgent } from '../model/agent-modes.js';
import type { SessionFacts } from '../session/session-facts.js';
import { parseState } from '../turn/serialise-state.js';

/** The larger, the less is allowed. */
const STRICTNESS: Readonly<Record<PolicyMode, number>> = { permissive: 0, medium: 1, strict: 2 };

/**
 * What the calls of a child are judged by while its parent is as it is now: the stricter mode of the two, and where it works on a part of a task the
 * limits of the agent that the parent's turn runs as, beside those that it was opened with. A parent that is set to less strictness loosens
 * nothing (H1).
 */
export function tightenFacts(facts: SessionFacts, parent: SessionMeta): SessionFacts {
  const { task } = facts;
  const judged = judgedMode(parent.mode);
  const mode = STRICTNESS[judged.mode] > STRICTNESS[facts.mode] ? judged.mode : facts.mode;
  const plans = facts.plans || judged.plans === true;
  if (task === undefined) return { ...facts, mode, plans };
  const parsed = parseState(parent.state, { calls: [], historyVersion: parent.historyVersion });
  const turn = parsed.kind === 'state' ? parsed.state.turn : undefined;
  const asking = turn && findAgent(facts, turn.agent);
  const within = asking === undefined ? task.within : [...new Set([...task.within, asking.title, asking.name])];
  return { ...facts, mode, plans, task: { ...task, within } };
}
