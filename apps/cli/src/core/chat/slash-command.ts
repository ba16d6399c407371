/** A line that begins with `/`, understood or not. */
export type SlashCommand =
  | { readonly kind: 'model'; readonly name?: string }
  | { readonly kind: 'agent'; readonly name?: string }
  /** `text`: what to keep above all. */
  | { readonly kind: 'compact'; readonly text: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'context' }
  | { readonly kind: 'rules' }
  /** `name`: a turn, or `yes`. */
  | { readonly kind: 'undo'; readonly name?: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }
  /** None of ours: one that the workspace may define. `text`: what follows its name. */
  | { readonly kind: 'custom'; readonly name: string; readonly text: string };

/** The commands, for `/help`. */
export const SLASH_COMMANDS: readonly (readonly [usage: string, does: string])[] = [
  ['/model [name]', 'another model, from the next message on; without a name: which one, and which there are'],
  ['/agent [name]', 'coder, architect, debug, ask or orchestrator; without a name: which one'],
  ['/undo [turn]', 'shows what undoing the last turn would do to your files; /undo yes does it'],
  ['/compact [what to keep]', 'sums up what is older, so that there is room again'],
  ['/clear', 'the model forgets what was said so far; the record stays'],
  ['/context', 'what fills the next request: tokens, and the files with instructions'],
  ['/rules', 'shows the rules by which calls run, ask or are refused'],
  ['/cancel', 'stops the turn, its model request and its tools'],
  ['/NAME [text]', 'sends what .codelab/commands/NAME.md says, with the text for $ARGUMENTS'],
  ['/help', 'shows this'],
  ['/quit', 'leaves; codelab chat --continue comes back'],
];

/** The keys, for `/help`. */
export const CHAT_KEYS: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'sends; while a turn runs the message waits for its end'],
  ['\\ Enter, Alt-Enter', 'begins a new line'],
  ['↑ ↓', 'your earlier messages; ↑ on an empty line takes back the last one that waits'],
  ['@path', 'a file goes with the message: @src/a.ts, @src/a.ts:10-20, @"with space"; Tab completes'],
  ['/ Tab', 'completes a command, or shows which ones begin so'],
  ['Tab', 'moves between an approval and your message'],
  ['Ctrl-O', 'opens what the last calls did: changes and output in full'],
  ['Esc', 'stops the turn; messages that wait come back to your line'],
  ['Ctrl-C', 'the same; twice leaves'],
  ['Ctrl-D', 'leaves, on an empty line'],
];

/** Reads a line as a command; undefined if it is a message. A path such as `/etc/hosts` is a message. */
export function parseSlashCommand(line: string): SlashCommand | undefined {
  const match = /^\/([a-z][a-z0-9_-]*)(?:\s+(\S.*))?$/.exec(line.trim());
  if (!match) return undefined;
  const [, word = '', rest] = match;
  const name = rest?.trim();
  switch (word) {
    case 'model':
    case 'agent':
    case 'undo':
      return name === undefined ? { kind: word } : { kind: word, name };
    case 'compact':
      return { kind: word, text: name ?? '' };
    case 'clear':
    case 'context':
    case 'rules':
    case 'cancel':
    case 'help':
    case 'quit':
      return { kind: word };
    case 'exit':
      return { kind: 'quit' };
    default:
      return { kind: 'custom', name: word, text: name ?? '' };
  }
}
