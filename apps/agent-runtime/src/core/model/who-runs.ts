import type { StepTool } from '@codelab/bus';
import { findWireTool, isCanonicalTool, type ToolDefinition } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import { mayGiveTasks, TASK_TOOL } from '../tasks/task-tool.js';

/** A tool that a model calls itself, by whoever runs it. */
export type OfferedTool =
  | { readonly by: 'executor' | 'server'; readonly tool: ToolDefinition }
  /** Of the program that began the session: its definition means nothing here. */
  | { readonly by: 'caller'; readonly tool: StepTool };

/** A tool that is run for the session: by its client, or by the runtime. */
export type RunTool = Exclude<OfferedTool, { by: 'caller' }>;

/** Tools of the servers that models call themselves; their own (`web.fetch`) are called by rows. */
export const isFromOutside = ({ source }: ToolDefinition): boolean => source === 'mcp' || source === 'http';

/** Whether a session has a tool of the servers, or its executor a canonical tool, a capability, or an addition of protocol 2.1 (`x1` to `x5`). */
export const hasOf = (facts: SessionFacts): ((name: string) => boolean) => {
  const names = new Set([...facts.tools.map(({ name }) => name).filter(isCanonicalTool), ...facts.serverTools.map(ownName)]);
  return (name) => (name === TASK_TOOL.name ? mayGiveTasks(facts) : names.has(name) || facts.capabilitiesOfExecutor.has(name));
};

/** The tool or the capability of this name that a row may call, with all that version 2.1 adds. */
export const toolOf = (facts: SessionFacts, name: string): RunTool | undefined => {
  if (!hasOf(facts)(name)) return undefined;
  if (name === TASK_TOOL.name) return { by: 'server', tool: TASK_TOOL };
  const own = facts.serverTools.find((tool) => ownName(tool) === name);
  if (own !== undefined) return { by: 'server', tool: own.definition };
  const tool = findWireTool(name);
  return tool && { by: 'executor', tool };
};

/** The name of a tool of the servers that rows may call; '' for those from outside, however they are called. */
const ownName = ({ definition }: SessionFacts['serverTools'][number]): string => (isFromOutside(definition) ? '' : definition.name);

/** A tool that models call themselves, by its name on the wire: the executor's own, or one that the servers got from outside. */
export const foreignToolOf = (facts: SessionFacts, name: string): RunTool | undefined => {
  const tool = facts.tools.find((one) => one.name === name);
  if (tool !== undefined) return { by: 'executor', tool };
  const server = facts.serverTools.find(({ definition }) => definition.name === name);
  return server && { by: 'server', tool: server.definition };
};

/** Tools of a client that see what a human has open, by the tool that they stand in for: they look at the disk themselves for what isn't open. */
const BETTER: Readonly<Record<string, string>> = { read_file: 'editor.read', write_file: 'editor.write' };

/**
 * Who runs what (docs/tools.md#who-runs-what): the one place that says it. What needs the workspace is the client's, and a client's own tool counts
 * before one of the servers with the same name; what needs no workspace, the servers have it for every client. A row that reads or writes a
 * file gets the editor's tool where the client has one.
 * @param by `row`: a row of a vocabulary calls it, by a name of ours. `model`: the model itself does, a tool from outside.
 */
export function whoRuns(facts: SessionFacts, name: string, by: 'row' | 'model'): RunTool | undefined {
  if (by === 'model') return foreignToolOf(facts, name);
  const better = BETTER[name];
  return (better !== undefined && hasOf(facts)(name) ? toolOf(facts, better) : undefined) ?? toolOf(facts, name);
}
