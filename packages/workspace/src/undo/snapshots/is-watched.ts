import { judgeCommand, type JsonObject } from '@codelab/tools';

/** Whether a call may change files in ways that it does not tell itself: commands that are not harmless, and other branches. */
export function isWatched(toolName: string, args: JsonObject): boolean {
  const { command, action } = args;
  if (toolName === 'git.branch') return action === 'switch';
  if (toolName === 'run_persistent' && action !== undefined && action !== null && action !== 'start') return false;
  if (toolName !== 'run_command' && toolName !== 'run_persistent') return false;
  return typeof command !== 'string' || judgeCommand(command).verdict !== 'automatic';
}
