import type { ChatState } from '../chat/chat-state.js';
import type { Key } from '../input/key.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { truncateLine } from '../text/wrap-spans.js';
import { SLASH_COMMANDS } from './commands.js';
import { usageOf } from './slash-command.js';

/** The beginning of a command, with the cursor behind it. */
const BEGINNING = /^\/[a-z0-9_:-]*$/;
/** Commands that are shown at once. */
const MAX_SHOWN = 8;
const MAX_CHARACTERS = 200;

interface Offered {
  /** With its slash. */
  readonly name: string;
  readonly usage: string;
  readonly does: string;
}

/** The commands that what is being written can become: ours, then those that people wrote. None for a line that begins no command. */
function offeredCommands({ editor: { text, cursor }, customs }: ChatState): readonly Offered[] {
  if (cursor !== text.length || !BEGINNING.test(text)) return [];
  const ours = SLASH_COMMANDS.map((command) => ({ name: `/${command.name}`, usage: usageOf(command), does: command.does }));
  const own = customs.map(({ name, hint, description }) => ({
    name: `/${name}`,
    usage: usageOf({ name, takes: hint }),
    does: description,
  }));
  return [...ours, ...own].filter(({ name }) => name.startsWith(text));
}

/** What Tab does behind the beginning of a command: completes it as far as it is known. Undefined for all else. */
export function completeCommand(state: ChatState, key: Key): ChatState | undefined {
  if (key.kind !== 'named' || key.name !== 'tab') return undefined;
  const names = offeredCommands(state).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const text = names.length === 1 ? `${names[0]} ` : commonStart(names);
  return { ...state, editor: { ...state.editor, text, cursor: text.length } };
}

/** Draws them below the line: `/model [name]  another model …`. */
export function renderOffered(state: ChatState, width: number): readonly Line[] {
  const offered = offeredCommands(state);
  if (offered.length === 0) return [];
  const shown = offered.slice(0, offered.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN);
  const column = Math.min(Math.max(...shown.map(({ usage }) => usage.length)), Math.floor(width / 2)) + 2;
  const rows = shown.map(({ usage, does }) =>
    truncateLine(
      [span(`  ${sanitiseLine(usage, MAX_CHARACTERS).padEnd(column - 2)}  `), span(sanitiseLine(does, MAX_CHARACTERS), 'muted')],
      width,
    ),
  );
  const left = offered.length - shown.length;
  return left === 0 ? rows : [...rows, [span(`  ⋯ ${left} more: type on, or /help`, 'muted')]];
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
