export const KEY_NAMES = [
  'enter',
  'alt-enter',
  'newline',
  'tab',
  'backtab',
  'escape',
  'backspace',
  'delete',
  'left',
  'right',
  'up',
  'down',
  'home',
  'end',
  'page-up',
  'page-down',
  'word-left',
  'word-right',
  'kill-word',
] as const;

/** What the user did at the keyboard. A paste is never taken for keys, whatever it holds. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'control'; readonly letter: string }
  /** The terminal's window got the focus, or lost it: only terminals that tell. */
  | { readonly kind: 'focus'; readonly focused: boolean }
  | { readonly kind: 'named'; readonly name: (typeof KEY_NAMES)[number] };
