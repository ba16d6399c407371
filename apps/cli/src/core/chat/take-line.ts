import { LIMITS } from '@codelab/protocol';
import { findCommand, readCommand } from '../commands/commands.js';
import type { ChatState, ChatStep } from './chat-state.js';
import { isShellRunning } from './is-shell-running.js';
import { tell } from './tell.js';

/** `waits`: it is for the end of the turn that runs, not for its next step. */
interface EnteredLine {
  readonly text: string;
  readonly waits: boolean;
}

/** What becomes of a line that the user has entered: a command of ours, one that the workspace may define, or a message. */
export function takeLine(state: ChatState, { text: line, waits }: EnteredLine, atMs: number): ChatStep {
  const [, ofShell] = /^!\s*(\S[^]*)$/.exec(line) ?? [];
  if (ofShell !== undefined) return runShell(state, ofShell, line);
  const entered = readCommand(line);
  if (!entered) return takeMessage(state, line, waits);
  const { name, text } = entered;
  const command = findCommand(name);
  if (command) return command.run(state, text, atMs);
  return { state, effects: [{ kind: 'send_custom', name, args: text, model: state.chosenModel, waits }] };
}

function runShell(state: ChatState, command: string, line: string): ChatStep {
  if (!isShellRunning(state)) return { state, effects: [{ kind: 'run_shell', command }] };
  const told = tell(state, 'Your last command still runs: Ctrl-C ends it.', 'warning');
  return { state: { ...told, editor: { ...state.editor, text: line, cursor: line.length } }, effects: [] };
}

function takeMessage(state: ChatState, line: string, waits: boolean): ChatStep {
  const length = [...line].length;
  if (length > LIMITS.MAX_MESSAGE_CHARACTERS) {
    const text = `The message has ${length} characters and may have ${LIMITS.MAX_MESSAGE_CHARACTERS}: put the long part into a file and name it.`;
    return { state: { ...tell(state, text, 'error'), editor: { ...state.editor, text: line, cursor: line.length } }, effects: [] };
  }
  return { state, effects: [{ kind: 'send', content: line, model: state.chosenModel, waits }] };
}
