import { agent } from './agent.js';
import { cancel } from './cancel.js';
import { clear } from './clear.js';
import { compact } from './compact.js';
import { context } from './context.js';
import { cost } from './cost.js';
import { diff } from './diff.js';
import { help } from './help.js';
import { init } from './init.js';
import { kernel } from './kernel.js';
import { mcp } from './mcp.js';
import { model } from './model.js';
import { newConversation } from './new.js';
import { quit } from './quit.js';
import { resume } from './resume.js';
import { rules } from './rules.js';
import { sessions } from './sessions.js';
import type { SlashCommand } from './slash-command.js';
import { undo } from './undo.js';

/** The commands, in the order of `/help`. A new one is a file and a line here; one that `acts` also has its outer part. */
export const SLASH_COMMANDS = [
  newConversation,
  resume,
  sessions,
  model,
  agent,
  diff,
  undo,
  init,
  compact,
  clear,
  context,
  kernel,
  cost,
  rules,
  mcp,
  cancel,
  help,
  quit,
] as const satisfies readonly SlashCommand[];

/** The commands that have an outer part. */
export type ActingCommand = Extract<(typeof SLASH_COMMANDS)[number], { readonly acts: true }>['name'];

/** A line that is a command: its first word, and what follows. A path such as `/etc/hosts` is a message. */
const COMMAND_LINE = /^\/([a-z][a-z0-9_:-]*)(?:\s+(\S[^]*))?$/;

/** The name of a command and what follows it; undefined if the line is a message. */
export function readCommand(line: string): { readonly name: string; readonly text: string } | undefined {
  const match = COMMAND_LINE.exec(line.trim());
  return match ? { name: match[1]!, text: match[2]?.trim() ?? '' } : undefined;
}

/** The command of that name; undefined where it is none of ours. */
export function findCommand(name: string): SlashCommand | undefined {
  const commands: readonly SlashCommand[] = SLASH_COMMANDS;
  return commands.find((command) => command.name === name || command.aliases?.includes(name));
}
