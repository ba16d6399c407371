import { findCommand } from '../commands/commands.js';
import type { Key } from '../input/key.js';
import { fillPicker, stepPicker, type Picker } from '../picker/picker.js';
import type { ChatEvent, ChatState, ChatStep } from './chat-state.js';
import { ARMING_MS } from './take-attention.js';
import { tell } from './tell.js';

/** What a key does while something is picked: what is picked goes to the command, as if it had been typed behind its name. */
export function takePickerKey(state: ChatState, picker: Picker, key: Key, atMs: number): ChatStep {
  const step = stepPicker(picker, key);
  if (step.kind === 'picker') return { state: { ...state, picker: step.picker }, effects: [] };
  const left = { ...state, picker: undefined, armedAtMs: Math.max(state.armedAtMs, atMs + ARMING_MS) };
  if (step.kind === 'left') return { state: left, effects: [] };
  return findCommand(picker.command)!.run(left, step.value, atMs);
}

/** The entries have come; a picker that was left meanwhile stays so. */
export function takeEntries(state: ChatState, { command, entries }: Extract<ChatEvent, { kind: 'offered' }>): ChatState {
  return state.picker?.command === command ? { ...state, picker: fillPicker(state.picker, entries) } : state;
}

/** The outer part of a command failed: nothing is left to pick from, and the reason is told. */
export function takeFailure(state: ChatState, { command, why }: Extract<ChatEvent, { kind: 'command_failed' }>): ChatState {
  const picker = state.picker?.command === command ? undefined : state.picker;
  return tell({ ...state, picker }, why, 'warning');
}
