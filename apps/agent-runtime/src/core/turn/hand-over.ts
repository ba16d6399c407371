import { findAgent } from '../model/agent-modes.js';
import type { StepBuilder } from './step-builder.js';

/**
 * Lets another agent go on with the turn, with its own prompt, tools and model. It may do nothing that one of those before it may not. The session
 * keeps its agent: the next turn is that one's.
 */
export function handOverTurn(builder: StepBuilder, { agent: to, note }: { readonly agent: string; readonly note: string }): void {
  const { runningTurn: turn, context, state } = builder;
  const from = findAgent(context.facts, turn.agent).title;
  const { title: agent, own } = findAgent(context.facts, to);
  builder.change({ agent, model: own?.model ?? turn.model, handedBy: [...(turn.handedBy ?? []), from] });
  builder.state = { ...builder.state, told: state.told && { ...state.told, agent } };
  builder.say({ type: 'agent_switched', agent, turn_id: turn.turnId, from, note });
}

/** Tells that the agent of the session is the agent again, at the end of a turn that was handed over. */
export function tellHandedBack(builder: StepBuilder): void {
  const { runningTurn: turn, context } = builder;
  if (turn.handedBy === undefined) return;
  const { title: agent } = findAgent(context.facts, context.facts.agent);
  builder.say({ type: 'agent_switched', agent, from: turn.agent });
}
