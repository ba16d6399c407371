import type { CodeLabClient } from '@codelab/client';
import type { Workspace } from '@codelab/workspace';
import type { CustomCommand } from '../../../core/commands/custom-command.js';
import type { PickerEntry } from '../../../core/picker/picker.js';
import type { SessionConsole } from '../../session-console.js';
import type { ChatMcp } from '../chat-mcp.js';
import type { ChatPlace } from '../chat-place.js';

/** What the commands of a chat work with. */
export interface CommandContext {
  readonly place: ChatPlace;
  readonly console: Pick<SessionConsole, 'page' | 'size' | 'look' | 'state'>;
  /** The conversation and the user's files, as soon as there are both. */
  connected(): Promise<{ readonly client: CodeLabClient; readonly workspace: Workspace }>;
  /** The commands that people wrote. */
  customs(): Promise<readonly CustomCommand[]>;
  /** The user's MCP servers. */
  readonly mcp: ChatMcp;
  /** Talks in another session from now on, in a fresh one if it is `new`. `says`: what is told first. */
  switchTo(sessionId: string, says: string): Promise<void>;
  /** What there is to pick from, for the picker that the command has opened. */
  offer(entries: readonly PickerEntry[]): void;
  /** Answers in the transcript. */
  say(text: string): void;
}

/**
 * The outer part of a command, made once for a chat, so that it can remember. What it throws is shown as a warning.
 * `text`: what followed the name of the command.
 */
export type CommandEffect<Context = CommandContext> = (context: Context) => (text: string) => Promise<void>;
