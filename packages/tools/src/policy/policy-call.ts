import { isCanonicalTool, type CanonicalTool } from '../tools/canonical-tools.js';
import { judgeCommand, type CommandJudgement } from '../commands/judge-command.js';
import type { JsonObject } from '../arguments/json.js';
import { actsBelow, pathsOfCall } from './call-paths.js';
import { rowOf, type PolicyRow } from './policy-table.js';
import { resolveInside } from './resolve-inside.js';

/** What is known of a command that a call runs. */
export interface CommandCall extends CommandJudgement {
  /** Where it runs, `''` for the workspace itself; `undefined`: not inside it, as far as can be told. */
  readonly cwd: string | undefined;
}

/** What is known of a call, all of it from its name and its arguments. */
export interface PolicyCall {
  readonly name: string;
  /** Nothing for a tool of another program. */
  readonly canonical: CanonicalTool | undefined;
  readonly row: PolicyRow | undefined;
  /** `undefined` where they can't be known. */
  readonly paths: readonly string[] | undefined;
  /** It acts on all that lies below its paths. */
  readonly deep: boolean;
  readonly command: CommandCall | undefined;
}

/** Characters of a command, as its definition says; a longer one is not judged. */
const MAX_COMMAND = 32_768;

const NOT_JUDGED: CommandJudgement = { verdict: 'ask', reason: 'its command is not known', commands: [] };

const commandOf = (tool: CanonicalTool, row: PolicyRow, { command, cwd }: JsonObject): CommandCall | undefined => {
  if ((tool !== 'run_command' && tool !== 'run_persistent') || row.touches !== 'processes') return undefined;
  const judgement = typeof command === 'string' && command.length <= MAX_COMMAND ? judgeCommand(command) : NOT_JUDGED;
  const directory = cwd === undefined || cwd === null ? '' : typeof cwd === 'string' ? resolveInside('', cwd) : undefined;
  return { ...judgement, cwd: directory };
};

/** Looks at a call the way the policy does. */
export function readCall(name: string, args: JsonObject): PolicyCall {
  if (!isCanonicalTool(name)) return { name, canonical: undefined, row: undefined, paths: undefined, deep: false, command: undefined };
  const row = rowOf(name, args);
  const command = commandOf(name, row, args);
  return { name, canonical: name, row, paths: pathsOfCall(name, args), deep: actsBelow(name), command };
}
