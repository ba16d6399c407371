import type { ChatState, ChatStep } from '../chat/chat-state.js';
import { tell } from '../chat/tell.js';

/** When a command was entered, and which ones there are. */
export interface Entered {
  readonly atMs: number;
  readonly commands: readonly SlashCommand[];
}

/** A command of the chat: everything about it but what is done outside of the state. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What may follow the name, as `/help` shows it: `[name]`. */
  readonly takes?: string;
  /** What it does, as `/help` says it. */
  readonly does: string;
  /** A part of it is done outside: `edge/chat/commands/<name>.ts`, once `run` says so with {@link act}. */
  readonly acts?: true;
  /** What the chat makes of it. `text`: what followed the name, without blanks around it; empty if nothing did. */
  readonly run: (state: ChatState, text: string, entered: Entered) => ChatStep;
}

/** Answers in the transcript. */
export const say = (state: ChatState, text: string): ChatStep => ({ state: tell(state, text), effects: [] });

/** Has the outer part of a command done. */
export const act = (state: ChatState, name: string, text = ''): ChatStep => ({ state, effects: [{ kind: 'command', name, text }] });
