import type { ChatState, ChatStep } from '../chat/chat-state.js';
import { tell } from '../chat/tell.js';

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
  /** What the chat makes of it. `text`: what followed the name, without blanks around it; empty if nothing did. `atMs`: when it was entered. */
  readonly run: (state: ChatState, text: string, atMs: number) => ChatStep;
}

/** `/model [name]`: a command as it is entered. */
export const usageOf = ({ name, takes }: Pick<SlashCommand, 'name' | 'takes'>): string =>
  `/${name}${takes === undefined ? '' : ` ${takes}`}`;

/** Answers in the transcript. */
export const say = (state: ChatState, text: string): ChatStep => ({ state: tell(state, text), effects: [] });

/** Has the outer part of a command done. */
export const act = (state: ChatState, name: string, text = ''): ChatStep => ({ state, effects: [{ kind: 'command', name, text }] });
