import { judgeCommand, type CommandJudgement } from '../commands/judge-command.js';
import type { JsonObject } from '../arguments/json.js';
import type { CanonicalDefinition, ToolPaths } from '../tools/tool-definition.js';
import { findTool, type CanonicalTool } from '../tools/tools.js';
import { hostOfCall } from './call-host.js';
import { pathsOfCall } from './call-paths.js';
import type { PolicyRow } from './policy-row.js';
import { resolveInside } from './resolve-inside.js';

/** What is known of a command that a call runs. */
export interface CommandCall extends CommandJudgement {
  /** Where it runs, `''` for the workspace itself; `undefined`: not inside it, as far as can be told. */
  readonly cwd: string | undefined;
}

/** What is known of a call, all of it from its name and its arguments. */
export interface PolicyCall {
  readonly name: string;
  /** The definition; none for a tool of another program. */
  readonly tool: CanonicalDefinition | undefined;
  readonly row: PolicyRow | undefined;
  /** What the definition says of paths, where it names some. */
  readonly about: Exclude<ToolPaths, string> | undefined;
  /** `undefined` where they can't be known. */
  readonly paths: readonly string[] | undefined;
  readonly command: CommandCall | undefined;
  /** The host that it goes to, where rules can tell hosts apart. */
  readonly host?: string | undefined;
}

/** Characters of a command, as its definition says; a longer one is not judged. */
const MAX_COMMAND = 32_768;

const NOT_JUDGED: CommandJudgement = { verdict: 'ask', reason: 'its command is not known', commands: [] };

const commandOf = (tool: CanonicalDefinition, row: PolicyRow, { command, cwd }: JsonObject): CommandCall | undefined => {
  if (!tool.runsCommand || row.touches !== 'processes') return undefined;
  const judgement = typeof command === 'string' && command.length <= MAX_COMMAND ? judgeCommand(command) : NOT_JUDGED;
  const directory = cwd === undefined || cwd === null ? '' : typeof cwd === 'string' ? resolveInside('', cwd) : undefined;
  return { ...judgement, cwd: directory };
};

const judgedBy = ({ policy }: CanonicalDefinition, args: JsonObject): PolicyRow => (typeof policy === 'function' ? policy(args) : policy);

/** The row that judges a call where no rule says otherwise. */
export const basePolicyOf = (tool: CanonicalTool, args: JsonObject): PolicyRow => judgedBy(findTool(tool)!, args);

/** Looks at a call the way the policy does. */
export function readCall(name: string, args: JsonObject): PolicyCall {
  const tool = findTool(name);
  if (tool === undefined)
    return { name, tool, row: undefined, about: undefined, paths: undefined, command: undefined, host: hostOfCall(name, args) };
  const row = judgedBy(tool, args);
  const about = typeof tool.paths === 'object' ? tool.paths : undefined;
  return { name, tool, row, about, paths: pathsOfCall(tool, args), command: commandOf(tool, row, args) };
}
