import type { Key } from './key.js';

/** Text that is being typed. `cursor` counts UTF-16 units and stands between graphemes. */
export interface EditorState {
  readonly text: string;
  readonly cursor: number;
  /** Messages sent before, oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown, counted from the end; 0 is the text being written, kept in `draft`. */
  readonly recalled: number;
  readonly draft: string;
}

export type EditorOutcome =
  | { readonly kind: 'edited' }
  | { readonly kind: 'ignored' }
  /** `waits`: it is for the end of the turn that runs, not for its next step. */
  | { readonly kind: 'submitted'; readonly text: string; readonly waits: boolean };

export const EMPTY_EDITOR: EditorState = { text: '', cursor: 0, history: [], recalled: 0, draft: '' };

/** Messages that are remembered. */
const MAX_HISTORY = 500;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text after a key. Enter submits, unless the line ends in a backslash, and so does Alt-Enter; a paste keeps its lines. */
export function editLine(state: EditorState, key: Key): { readonly state: EditorState; readonly outcome: EditorOutcome } {
  if (key.kind === 'focus') return { state, outcome: { kind: 'ignored' } };
  if (key.kind === 'named' && key.name === 'enter') return enter(state);
  if (key.kind === 'named' && key.name === 'alt-enter') return submit(state, true);
  const next =
    key.kind === 'text' || key.kind === 'paste'
      ? insert(state, key.text)
      : key.kind === 'control'
        ? control(state, key.letter)
        : named(state, key.name);
  return { state: next ?? state, outcome: { kind: next ? 'edited' : 'ignored' } };
}

/** Remembers what was submitted, and empties the line. */
export function remember(state: EditorState, text: string): EditorState {
  const history = state.history.at(-1) === text ? state.history : [...state.history, text].slice(-MAX_HISTORY);
  return { ...EMPTY_EDITOR, history };
}

function enter(state: EditorState): { state: EditorState; outcome: EditorOutcome } {
  const before = state.text.slice(0, state.cursor);
  if (before.endsWith('\\')) {
    const text = `${before.slice(0, -1)}\n${state.text.slice(state.cursor)}`;
    return { state: { ...state, text, cursor: before.length }, outcome: { kind: 'edited' } };
  }
  return submit(state, false);
}

function submit(state: EditorState, waits: boolean): { state: EditorState; outcome: EditorOutcome } {
  const text = state.text.trim();
  if (text === '') return { state, outcome: { kind: 'ignored' } };
  return { state: remember(state, text), outcome: { kind: 'submitted', text, waits } };
}

function insert(state: EditorState, text: string): EditorState {
  return { ...state, text: state.text.slice(0, state.cursor) + text + state.text.slice(state.cursor), cursor: state.cursor + text.length };
}

function remove(state: EditorState, from: number, to: number): EditorState {
  return { ...state, text: state.text.slice(0, from) + state.text.slice(to), cursor: from };
}

function named(state: EditorState, name: Extract<Key, { kind: 'named' }>['name']): EditorState | undefined {
  const { text, cursor } = state;
  switch (name) {
    case 'newline':
      return insert(state, '\n');
    case 'backspace':
      return remove(state, stepLeft(text, cursor), cursor);
    case 'delete':
      return remove(state, cursor, stepRight(text, cursor));
    case 'left':
      return { ...state, cursor: stepLeft(text, cursor) };
    case 'right':
      return { ...state, cursor: stepRight(text, cursor) };
    case 'word-left':
      return { ...state, cursor: wordLeft(text, cursor) };
    case 'word-right':
      return { ...state, cursor: cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0) };
    case 'kill-word':
      return remove(state, wordLeft(text, cursor), cursor);
    case 'home':
      return { ...state, cursor: lineStart(text, cursor) };
    case 'end':
      return { ...state, cursor: lineEnd(text, cursor) };
    case 'up':
      return vertical(state, -1) ?? recall(state, state.recalled + 1);
    case 'down':
      return vertical(state, 1) ?? recall(state, state.recalled - 1);
    default:
      return undefined;
  }
}

function control(state: EditorState, letter: string): EditorState | undefined {
  const { text, cursor } = state;
  switch (letter) {
    case 'a':
      return named(state, 'home');
    case 'e':
      return named(state, 'end');
    case 'b':
      return named(state, 'left');
    case 'f':
      return named(state, 'right');
    case 'p':
      return named(state, 'up');
    case 'n':
      return named(state, 'down');
    case 'u':
      return remove(state, lineStart(text, cursor), cursor);
    case 'k':
      return remove(state, cursor, lineEnd(text, cursor));
    case 'w':
      return named(state, 'kill-word');
    default:
      return undefined;
  }
}

function vertical(state: EditorState, direction: -1 | 1): EditorState | undefined {
  const { text, cursor } = state;
  const column = cursor - lineStart(text, cursor);
  const start = direction === -1 ? lineStart(text, cursor) - 1 : lineEnd(text, cursor) + 1;
  if (start < 0 || start > text.length) return undefined;
  const target = direction === -1 ? lineStart(text, start) : start;
  return { ...state, cursor: Math.min(target + column, lineEnd(text, target)) };
}

function recall(state: EditorState, recalled: number): EditorState | undefined {
  if (recalled < 0 || recalled > state.history.length) return undefined;
  const draft = state.recalled === 0 ? state.text : state.draft;
  const text = recalled === 0 ? draft : state.history.at(-recalled)!;
  return { ...state, text, cursor: text.length, recalled, draft };
}

function stepLeft(text: string, cursor: number): number {
  const before = [...segmenter.segment(text.slice(Math.max(0, cursor - 64), cursor))].at(-1);
  return cursor - (before?.segment.length ?? 0);
}

function stepRight(text: string, cursor: number): number {
  const [after] = segmenter.segment(text.slice(cursor, cursor + 64));
  return cursor + (after?.segment.length ?? 0);
}

const wordLeft = (text: string, cursor: number): number => cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
const lineStart = (text: string, cursor: number): number => (cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1);
const lineEnd = (text: string, cursor: number): number => {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
};
