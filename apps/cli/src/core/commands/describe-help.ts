import type { SlashCommand } from './slash-command.js';

type Rows = readonly (readonly [name: string, does: string])[];

/** The keys of the chat. */
const CHAT_KEYS: Rows = [
  ['Enter', 'sends; while a turn runs the model reads it before its next step'],
  ['Alt-Enter', 'sends; while a turn runs the message waits for its end'],
  ['\\ Enter, Ctrl-J', 'begins a new line; so does Shift-Enter where the terminal tells it apart'],
  ['↑ ↓', 'your earlier messages; ↑ on an empty line takes back the last one that the model has not read'],
  ['Ctrl-R', 'searches your earlier messages: again for an older one, Enter takes it, Esc leaves'],
  ['@path', 'a file goes with the message: @src/a.ts, @src/a.ts:10-20, @"with space"; Tab completes'],
  ['/ Tab', 'completes a command, or shows which ones begin so'],
  ['Shift-Tab', 'ask, accept-edits, plan: how much is asked, from the next call on'],
  ['Tab', 'moves between an approval and your message'],
  ['Ctrl-O', 'opens what the last calls did: changes and output in full'],
  ['Esc', 'stops the turn; messages that wait come back to your line'],
  ['Ctrl-C', 'the same; twice leaves'],
  ['Ctrl-D', 'leaves, on an empty line'],
];

const CUSTOM: Rows = [['/NAME [text]', 'sends what .codelab/commands/NAME.md says, with the text for $ARGUMENTS']];

/** `/model [name]`: a command as it is entered. */
export const usageOf = ({ name, takes }: Pick<SlashCommand, 'name' | 'takes'>): string =>
  `/${name}${takes === undefined ? '' : ` ${takes}`}`;

/** The text of `/help`. */
export function describeHelp(commands: readonly SlashCommand[]): string {
  const ours = commands.map((command) => [usageOf(command), command.does] as const);
  const column = Math.max(...[...ours, ...CUSTOM, ...CHAT_KEYS].map(([name]) => name.length)) + 2;
  const rows = (table: Rows): string => table.map(([name, does]) => `${name.padEnd(column)}${does}`).join('\n');
  return `${rows([...ours, ...CUSTOM])}\n\n${rows(CHAT_KEYS)}`;
}
