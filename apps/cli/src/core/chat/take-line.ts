import { LIMITS } from '@codelab/protocol';
import type { ChatState, ChatStep } from './chat-state.js';
import type { SlashCommand } from './slash-command.js';
import { CHAT_KEYS, SLASH_COMMANDS, parseSlashCommand } from './slash-command.js';
import { stopTurn } from './stop-turn.js';
import { tell } from './tell.js';

/** What becomes of a line that the user has entered: a command, or a message. */
export function takeLine(state: ChatState, line: string): ChatStep {
  const command = parseSlashCommand(line);
  if (command) return takeCommand(state, command);
  const length = [...line].length;
  if (length > LIMITS.MAX_MESSAGE_CHARACTERS) {
    const text = `The message has ${length} characters and may have ${LIMITS.MAX_MESSAGE_CHARACTERS}: put the long part into a file and name it.`;
    return { state: { ...tell(state, text, 'error'), editor: { ...state.editor, text: line, cursor: line.length } }, effects: [] };
  }
  return { state, effects: [{ kind: 'send', content: line, model: state.chosenModel }] };
}

function takeCommand(state: ChatState, command: SlashCommand): ChatStep {
  const say = (text: string): ChatStep => ({ state: tell(state, text), effects: [] });
  switch (command.kind) {
    case 'model':
      if (command.name === undefined)
        return {
          state: tell(
            state,
            `The model is ${state.chosenModel ?? state.view.model ?? 'the one that the server prefers'}. /model NAME takes another one.`,
          ),
          effects: [{ kind: 'list_models' }],
        };
      return { state: tell({ ...state, chosenModel: command.name }, `${command.name} answers from the next message on.`), effects: [] };
    case 'agent':
      if (command.name === undefined) return say(`The agent is ${state.view.agent ?? 'coder'}. /agent NAME takes another one.`);
      return { state, effects: [{ kind: 'switch_agent', agent: command.name }] };
    case 'undo':
      if (state.view.turn) return say('A turn is running: wait for its end, or /cancel it.');
      return { state, effects: [{ kind: 'undo', name: command.name }] };
    case 'compact':
    case 'clear': {
      const content = command.kind === 'compact' ? `/compact ${command.text}`.trim() : '/clear';
      return { state, effects: [{ kind: 'send', content, command: command.kind }] };
    }
    case 'context':
      return { state, effects: [{ kind: 'show_context' }] };
    case 'rules':
      return { state, effects: [{ kind: 'show_rules' }] };
    case 'cancel':
      if (!state.view.turn) return say('No turn is running.');
      return stopTurn(state, 0);
    case 'help':
      return say(helpText());
    case 'quit':
      return { state, effects: [{ kind: 'leave' }] };
    case 'custom':
      return { state, effects: [{ kind: 'send_custom', name: command.name, args: command.text, model: state.chosenModel }] };
  }
}

function helpText(): string {
  const column = Math.max(...[...SLASH_COMMANDS, ...CHAT_KEYS].map(([name]) => name.length)) + 2;
  const rows = (table: typeof CHAT_KEYS): string => table.map(([name, does]) => `${name.padEnd(column)}${does}`).join('\n');
  return `${rows(SLASH_COMMANDS)}\n\n${rows(CHAT_KEYS)}`;
}
