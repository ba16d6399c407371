import type { Key } from '../input/key.js';
import { SLASH_COMMANDS } from '../commands/commands.js';
import type { ChatState } from './chat-state.js';
import { tell } from './tell.js';

/** What Tab does behind the beginning of a command: completes it, or says which ones begin so. Undefined for all else. */
export function completeCommand(state: ChatState, key: Key): ChatState | undefined {
  const { text, cursor } = state.editor;
  if (key.kind !== 'named' || key.name !== 'tab' || cursor !== text.length || !/^\/[a-z]*$/.test(text)) return undefined;
  const found = SLASH_COMMANDS.map(({ name, does }) => ({ name: `/${name}`, does })).filter(({ name }) => name.startsWith(text));
  const [first] = found;
  if (!first) return undefined;
  const common = found.length === 1 ? `${first.name} ` : commonStart(found.map(({ name }) => name));
  if (common.length > text.length) return { ...state, editor: { ...state.editor, text: common, cursor: common.length } };
  return tell(state, found.map(({ name, does }) => `${name}  ${does}`).join('\n'));
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
