import type { ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from './session-facts.js';
import { findMode } from './modes/find-mode.js';

/** The tools that a model is offered: those that the executor has, its version knows and the agent mode lets through. */
export const offeredTools = (facts: SessionFacts, agent: string): readonly ToolDefinition[] => facts.tools.filter(findMode(agent).allows);

/**
 * The offered tool that a model means: the one that it was shown under this name, before any that is merely called so. Names too long to read
 * back are found by what they were made of.
 */
export function findOffered(facts: SessionFacts, agent: string, modelName: string): ToolDefinition | undefined {
  const canonical = facts.vocabulary.toCanonical(modelName);
  const tools = offeredTools(facts, agent);
  const shown = tools.find(({ name }) => facts.vocabulary.toModelName(name) === modelName);
  return shown ?? tools.find(({ name }) => name === canonical || name === modelName);
}
