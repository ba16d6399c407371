import type { CustomCommand } from '../commands/custom-command.js';
import type { EditorState } from '../input/line-editor.js';
import type { Completion } from '../mentions/completion.js';
import { openArgumentOf, type OpenArgument, type PromptCommand } from './prompt-command.js';

const isPrompt = (command: CustomCommand): command is PromptCommand => 'prompt' in command;

/** The prompt whose command a line begins with, and the argument at its end; undefined for every other line. */
export function argumentOf(
  line: string,
  customs: readonly CustomCommand[],
): { readonly command: PromptCommand; readonly open: OpenArgument } | undefined {
  const [head, name = ''] = /^\/(\S+) +/.exec(line) ?? [];
  if (head === undefined) return undefined;
  const command = customs.find((one) => one.name === name);
  if (command === undefined || !isPrompt(command) || (command.prompt.arguments ?? []).length === 0) return undefined;
  const open = openArgumentOf(command.prompt, line.slice(head.length));
  return { command, open: { ...open, start: head.length + open.start } };
}

/** The completion after the text has changed: of the argument of a prompt that is being typed, or none. */
export function followArgument(
  before: Completion | undefined,
  { text, cursor }: EditorState,
  customs: readonly CustomCommand[],
): Completion | undefined {
  if (cursor !== text.length) return undefined;
  const found = argumentOf(text, customs);
  if (found === undefined) return undefined;
  const { start, word } = found.open;
  const isSame = before?.of === 'argument' && before.start === start;
  const known = isSame ? before.candidates.filter((candidate) => candidate.startsWith(word) && candidate !== word) : [];
  return { of: 'argument', path: text, start, end: cursor, candidates: known, picked: -1 };
}
