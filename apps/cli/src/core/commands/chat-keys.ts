/** The keys of the chat, as `/help` and the reference show them. */
export const CHAT_KEYS: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'sends; while a turn runs the model reads it before its next step'],
  ['Alt-Enter', 'sends; while a turn runs the message waits for its end'],
  ['\\ Enter, Ctrl-J', 'begins a new line; so does Shift-Enter where the terminal tells it apart'],
  ['↑ ↓', 'your earlier messages; ↑ on an empty line takes back the last one that the model has not read'],
  ['Ctrl-R', 'searches your earlier messages: again for an older one, Enter takes it, Esc leaves'],
  ['@path', 'a file goes with the message: @src/a.ts, @src/a.ts:10-20, @"with space"; Tab completes'],
  ['an image', 'pasted or dropped as a path, goes with the message: PNG, JPEG, GIF or WebP of at most 3 MB'],
  ['!command', 'runs it here at once, by your own will; the model reads its output with your next message'],
  ['/ Tab', 'completes a command; below the line stand those that begin so'],
  ['Shift-Tab', 'ask, accept-edits, plan: how much is asked, from the next call on'],
  ['Tab', 'moves between an approval and your message'],
  ['Ctrl-T', 'shows all of what the model thinks, or only that it does'],
  ['Ctrl-O', 'opens what the last calls did: changes and output in full'],
  ['Esc', 'stops the turn; messages that wait come back to your line'],
  ['Ctrl-C', 'the same; twice leaves'],
  ['Ctrl-D', 'leaves, on an empty line'],
];
