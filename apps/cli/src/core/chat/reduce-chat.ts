import { EMPTY_VIEW, reduceSession, type QueuedMessage } from '@codelab/client/view';
import { completeCommand } from '../commands/complete-command.js';
import { followArgument } from '../mcp/follow-argument.js';
import { takeCandidates, followMention, stepCompletion } from '../mentions/completion.js';
import type { Key } from '../input/key.js';
import { NEW_SEARCH, stepSearch, type HistorySearch } from '../input/history-search.js';
import { modeNameOf, nextMode } from '../session/permission-mode.js';
import { editLine, type EditorState } from '../input/line-editor.js';
import type { ChatEvent, ChatState, ChatStep, Attention } from './chat-state.js';
import { callIdOf, takeEditedArgs, takeEditedHunk, takePreview, turnAttention, answerWithKey } from './take-attention.js';
import { chooseMode, followMode, freeAccepted } from './choose-mode.js';
import { noticesOf } from './notify.js';
import { stopTurn } from './stop-turn.js';
import { isShellRunning } from './is-shell-running.js';
import { takeLine } from './take-line.js';
import { takeEntries, takeFailure, takePickerKey } from './take-picker.js';
import { tell } from './tell.js';

/** A letter followed by another one within this time begins a message: it decides nothing. */
const HOLD_MS = 180;
/** Timers and clocks disagree by a millisecond or two. */
const TIMER_SLACK_MS = 20;

/**
 * What a key does while something asks for attention. Somebody who types a message must not approve a call that appears under the fingers
 * (H3): letters typed before the panel could be seen, and letters typed in a row, go to the message.
 */
function takeAttentionKey(state: ChatState, attention: Attention, key: Key, atMs: number): ChatStep {
  if (attention.kind !== 'approval' || attention.prompt.mode !== 'choose')
    return atMs < state.armedAtMs ? { state, effects: [] } : answerWithKey(state, attention, key);
  if (key.kind === 'paste') return toMessage(state, [key]);
  if (key.kind !== 'text') return { state: { ...state, held: undefined }, effects: [] };
  if (atMs < state.armedAtMs) return toMessage(state, [key]);
  if (state.held) return toMessage(state, [state.held.key, key]);
  return { state: { ...state, held: { key, atMs } }, effects: [{ kind: 'wake', afterMs: HOLD_MS + TIMER_SLACK_MS }] };
}

/** A letter that stood alone long enough was a decision. */
function releaseHeld(state: ChatState, atMs: number): ChatStep {
  const { held, attention } = state;
  if (!held || atMs < held.atMs + HOLD_MS) return { state, effects: [] };
  const released = { ...state, held: undefined };
  return attention?.kind === 'approval' && state.focus === 'attention'
    ? answerWithKey(released, attention, held.key)
    : { state: released, effects: [] };
}

function toMessage(state: ChatState, keys: readonly Key[]): ChatStep {
  if (!state.writes) return { state: { ...state, held: undefined }, effects: [] };
  const editor = keys.reduce((next, key) => editLine(next, key).state, state.editor);
  return { state: { ...state, editor, focus: 'editor', held: undefined }, effects: [] };
}

/** What Tab and Escape do while a path is being mentioned; undefined for every other key, and where nothing can be completed. */
function completeWithKey(state: ChatState, key: Key): ChatStep | undefined {
  const { completion, editor } = state;
  if (!completion) return undefined;
  if (key.kind === 'named' && key.name === 'escape') return { state: { ...state, completion: undefined }, effects: [] };
  const step = stepCompletion(completion, editor, key);
  if (!step) return undefined;
  if (step.final) return takeEdit(state, step.editor);
  return { state: { ...state, editor: step.editor, completion: step.completion }, effects: [] };
}

/** The chat with an edited line; candidates are asked for when what is completed in it is new, commands that people wrote when one begins. */
function takeEdit(state: ChatState, editor: EditorState): ChatStep {
  const begins = editor.text === '/' || (editor.text.startsWith('/') && !state.editor.text.startsWith('/'));
  const { state: edited, effects } = followLine({ ...state, editor });
  return { state: edited, effects: begins ? [{ kind: 'find_customs' }, ...effects] : effects };
}

/** Completes what stands in the line, as far as the commands are known that it may begin with. */
function followLine(state: ChatState): ChatStep {
  const { editor, customs } = state;
  const completion = followMention(state.completion, editor) ?? followArgument(state.completion, editor, customs);
  const asks = completion !== undefined && completion.path !== state.completion?.path;
  return { state: { ...state, completion }, effects: asks ? [{ kind: 'complete', of: completion.of, path: completion.path }] : [] };
}

/** How long the first Ctrl-C counts. */
const LEAVE_WINDOW_MS = 2_000;

/** The chat after an event, and what is to be done about it. Pure. */
export function reduceChat(state: ChatState, event: ChatEvent): ChatStep {
  const step = takeEvent(state, event);
  const notices = noticesOf(state, step.state, event.atMs);
  return { state: turnAttention(step.state, event.atMs), effects: notices.length === 0 ? step.effects : [...step.effects, ...notices] };
}

function takeEvent(state: ChatState, event: ChatEvent): ChatStep {
  switch (event.kind) {
    case 'key':
      return takeKey(state, event.key, event.atMs);
    case 'tick':
      return releaseHeld(state, event.atMs);
    case 'session':
      return freeAccepted(followMode({ ...state, view: reduceSession(state.view, event.event) }, event.event), event.event);
    case 'asked':
      return stay({ ...state, asked: [...state.asked, event.asked] });
    case 'completed':
      return stay({ ...state, completion: takeCandidates(state.completion, event.path, event.candidates) });
    case 'conversation_begun':
      return stay(beginConversation(state));
    case 'customs_found':
      return (state.completion ? stay : followLine)({ ...state, customs: event.customs });
    case 'offered':
      return stay(takeEntries(state, event));
    case 'command_failed':
      return stay(takeFailure(state, event));
    case 'unsent':
      return stay(takeBack(state, event));
    case 'withdrawn':
      return stay({ ...state, asked: state.asked.filter((asked) => callIdOf(asked) !== event.callId) });
    case 'args_edited':
      return takeEditedArgs(state, event);
    case 'args_previewed':
      return stay(takePreview(state, event));
    case 'hunk_edited':
      return takeEditedHunk(state, event);
  }
}

function takeKey(state: ChatState, key: Key, atMs: number): ChatStep {
  if (key.kind === 'focus') return stay({ ...state, focused: key.focused });
  if (state.picker) return takePickerKey(state, state.picker, key, atMs);
  if (state.search && state.focus === 'editor') return searchWithKey(state, state.search, key);
  if (key.kind === 'control' && key.letter === 'c') return interrupt(state, atMs);
  const leaves = state.writes && key.kind === 'control' && key.letter === 'd' && state.editor.text === '';
  if (leaves) return { state, effects: [{ kind: 'leave' }] };
  if (key.kind === 'control' && key.letter === 't') return stay({ ...state, thoughts: state.thoughts === 'shown' ? 'folded' : 'shown' });
  if (key.kind === 'control' && key.letter === 'o') return { state, effects: [{ kind: 'show_calls' }] };
  const { attention, writes } = state;
  const completing = state.focus === 'editor' ? completeWithKey(state, key) : undefined;
  if (completing) return completing;
  if (writes && key.kind === 'named' && key.name === 'backtab') return chooseMode(state, nextMode(modeNameOf(state.view.mode)));
  const commanded = writes && !attention ? completeCommand(state, key) : undefined;
  if (commanded) return stay(commanded);
  if (writes && attention && key.kind === 'named' && key.name === 'tab')
    return stay({ ...state, focus: state.focus === 'editor' ? 'attention' : 'editor' });
  if (attention && state.focus === 'attention') return takeAttentionKey(state, attention, key, atMs);
  if (state.view.turn && !state.view.turn.cancelling && key.kind === 'named' && key.name === 'escape') return stopTurn(state, atMs);
  if (!writes) return stay(state);
  if (key.kind === 'control' && key.letter === 'r') return stay({ ...state, search: NEW_SEARCH, completion: undefined });
  const queued = editQueued(state, key);
  if (queued) return queued;
  const { state: editor, outcome } = editLine(state.editor, key);
  if (outcome.kind === 'submitted') return takeLine({ ...state, editor, completion: undefined }, outcome, atMs);
  return outcome.kind === 'edited' ? takeEdit(state, editor) : stay({ ...state, editor });
}

/** What a key does while earlier messages are searched. */
function searchWithKey(state: ChatState, search: HistorySearch, key: Key): ChatStep {
  const { editor } = state;
  const step = stepSearch(search, editor.history, key);
  if (step.kind === 'searching') return stay({ ...state, search: step.search });
  if (step.kind === 'left') return stay({ ...state, search: undefined });
  return stay({ ...state, search: undefined, editor: { ...editor, text: step.text, cursor: step.text.length, recalled: 0 } });
}

/** What belongs to the person stays: the line, the history of it, the model that was chosen. Notices go on counting: each has its own name. */
function beginConversation(state: ChatState): ChatState {
  const view = { ...EMPTY_VIEW, notices: state.view.notices };
  return {
    ...state,
    view,
    modesOnTheirWay: [],
    freeing: undefined,
    asked: [],
    attention: undefined,
    held: undefined,
    picker: undefined,
    focus: 'editor',
  };
}

/** A message comes back into the line, unless another one has been begun. */
function takeBack(state: ChatState, { content, why }: Extract<ChatEvent, { kind: 'unsent' }>): ChatState {
  const told = tell(state, why, 'error');
  if (state.editor.text !== '') return told;
  return { ...told, editor: { ...state.editor, text: content, cursor: content.length } };
}

/** ↑ on an empty line takes the last message that waits back, to be edited; undefined where none does. */
function editQueued(state: ChatState, key: Key): ChatStep | undefined {
  const last = [...state.view.steering, ...state.view.queue].at(-1);
  if (!last || state.editor.text !== '' || key.kind !== 'named' || key.name !== 'up') return undefined;
  const others = (messages: readonly QueuedMessage[]): readonly QueuedMessage[] => messages.filter((message) => message !== last);
  const view = { ...state.view, queue: others(state.view.queue), steering: others(state.view.steering) };
  const editor = { ...state.editor, text: last.content, cursor: last.content.length, recalled: 0 };
  return { state: { ...state, view, editor }, effects: [{ kind: 'unqueue', messageId: last.messageId }] };
}

/** Ctrl-C ends a command of the user, stops the turn, or clears what is being written; the second one leaves. */
function interrupt(state: ChatState, atMs: number): ChatStep {
  if (isShellRunning(state)) return { state, effects: [{ kind: 'stop_shell' }] };
  if (atMs < state.leavesUntilMs) return { state, effects: [{ kind: 'leave' }] };
  const next = { ...state, leavesUntilMs: atMs + LEAVE_WINDOW_MS };
  if (state.view.turn) return stopTurn(next, atMs);
  if (!state.writes) return { state: next, effects: [{ kind: 'leave' }] };
  return stay({ ...next, completion: undefined, editor: { ...state.editor, text: '', cursor: 0, recalled: 0 } });
}

const stay = (state: ChatState): ChatStep => ({ state, effects: [] });
