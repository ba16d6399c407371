import { PatchError, judgeCommand, parsePatch, pathsOfPatch } from '@codelab/tools';
import type { RuleProposal } from '@codelab/protocol';
import type { PendingCall } from './pending-call.js';

/** Tools whose one path says what they would do something to. */
const PATH_TOOLS: ReadonlySet<string> = new Set(['read_file', 'write_file', 'create_directory', 'delete_file', 'list_files']);
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'run_persistent']);

/** The rule that refuses exactly this from now on: this tool on this path, or this command. None where there is no such thing. */
export function refusalRule({ toolName, args }: PendingCall): RuleProposal | undefined {
  const path = pathOf(toolName, readArguments(args));
  if (path !== undefined && path !== '' && !/[*?]/.test(path))
    return { allows: `${toolName} on ${path} is refused.`, rule: { effect: 'deny', tool: toolName, path } };
  const { command } = readArguments(args);
  if (!COMMAND_TOOLS.has(toolName) || typeof command !== 'string') return undefined;
  const { commands } = judgeCommand(command);
  const [only] = commands;
  return commands.length === 1 && only!.literal
    ? { allows: `The command ${command} is refused.`, rule: { effect: 'deny', tool: toolName, command: [...only!.words], exact: true } }
    : undefined;
}

function pathOf(toolName: string, { path, diff }: Readonly<Record<string, unknown>>): string | undefined {
  if (PATH_TOOLS.has(toolName)) return typeof path === 'string' ? path : undefined;
  if (toolName !== 'apply_patch' || typeof diff !== 'string') return undefined;
  try {
    const paths = pathsOfPatch(parsePatch(diff));
    return paths.length === 1 ? paths[0] : undefined;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

function readArguments(args: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(args) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {}; // shown as they came, and not understood
  }
}
