import type { StepTool } from '@codelab/bus';
import type { ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import { findMode } from './agent-modes.js';

/** A tool that a model may call, by whoever runs it. */
export type Offered =
  | { readonly by: 'executor' | 'server'; readonly tool: ToolDefinition }
  /** Of the program that began the session: its definition means nothing here. */
  | { readonly by: 'caller'; readonly tool: StepTool };

/** The tools of the executor that a model is offered: those that it has, its version knows and the agent mode lets through. */
export const offeredTools = (facts: SessionFacts, agent: string): readonly ToolDefinition[] => facts.tools.filter(findMode(agent).allows);

/** All that a model may call, by the name that it is shown. Of two with one name the executor's counts, and the caller's last. */
const shownTools = (facts: SessionFacts, agent: string): ReadonlyMap<string, Offered> => {
  const shown = new Map<string, Offered>();
  const show = (name: string, offered: Offered): void => void (shown.has(name) || shown.set(name, offered));
  for (const tool of offeredTools(facts, agent)) show(facts.vocabulary.toModelName(tool.name), { by: 'executor', tool });
  for (const tool of facts.program?.serverTools.filter(findMode(agent).allows) ?? []) show(tool.name, { by: 'server', tool });
  for (const tool of facts.program?.callerTools ?? []) show(tool.name, { by: 'caller', tool });
  return shown;
};

/** The names under which a model is shown its tools. */
export const shownNames = (facts: SessionFacts, agent: string): readonly string[] => [...shownTools(facts, agent).keys()];

/** The tools as a model is told of them. One of the program goes as it came, with whatever else its definition says. */
export const toModelTools = (facts: SessionFacts, agent: string): readonly StepTool[] =>
  [...shownTools(facts, agent).entries()].map(([name, { by, tool }]) => {
    const { description, parameters } = tool;
    return by === 'caller' ? tool : { name, description, parameters };
  });

/**
 * The offered tool that a model means: the one that it was shown under this name, before any of the executor's that is merely called so. Names
 * too long to read back are found by what they were made of.
 */
export function findOffered(facts: SessionFacts, agent: string, modelName: string): Offered | undefined {
  const shown = shownTools(facts, agent).get(modelName);
  if (shown !== undefined) return shown;
  const canonical = facts.vocabulary.toCanonical(modelName);
  const tool = offeredTools(facts, agent).find(({ name }) => name === canonical || name === modelName);
  return tool === undefined ? undefined : { by: 'executor', tool };
}
