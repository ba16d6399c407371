import { LIMITS } from '@codelab/protocol';
import { SLASH_COMMANDS, findCommand, readCommand } from '../commands/commands.js';
import type { ChatState, ChatStep } from './chat-state.js';
import { tell } from './tell.js';

/** What becomes of a line that the user has entered: a command of ours, one that the workspace may define, or a message. */
export function takeLine(state: ChatState, line: string, atMs: number): ChatStep {
  const entered = readCommand(line);
  if (!entered) return takeMessage(state, line);
  const { name, text } = entered;
  const command = findCommand(name);
  if (command) return command.run(state, text, { atMs, commands: SLASH_COMMANDS });
  return { state, effects: [{ kind: 'send_custom', name, args: text, model: state.chosenModel }] };
}

function takeMessage(state: ChatState, line: string): ChatStep {
  const length = [...line].length;
  if (length > LIMITS.MAX_MESSAGE_CHARACTERS) {
    const text = `The message has ${length} characters and may have ${LIMITS.MAX_MESSAGE_CHARACTERS}: put the long part into a file and name it.`;
    return { state: { ...tell(state, text, 'error'), editor: { ...state.editor, text: line, cursor: line.length } }, effects: [] };
  }
  return { state, effects: [{ kind: 'send', content: line, model: state.chosenModel }] };
}
