import type { Key } from '../input/key.js';
import { EMPTY_EDITOR, editLine, type EditorState } from '../input/line-editor.js';

/** One thing that can be picked. Its texts come from outside. */
export interface PickerEntry {
  /** What the command gets. */
  readonly value: string;
  readonly label: string;
  /** What is said beside it: `3 h ago · 12 messages`. */
  readonly detail?: string;
}

/** A list of which one entry is picked with the keys; what is typed searches it. */
export interface Picker {
  /** The command that asked, and gets what is picked. */
  readonly command: string;
  readonly title: string;
  /** The value that counts now. */
  readonly current?: string;
  /** What is typed may be the value, where no entry is found: not all that can be had is listed. */
  readonly takesText?: boolean;
  /** Absent while they are looked for. */
  readonly entries?: readonly PickerEntry[];
  readonly search: EditorState;
  /** The entry that Enter takes, counted from 0 among those that are found. */
  readonly picked: number;
}

export type PickerStep =
  | { readonly kind: 'picker'; readonly picker: Picker }
  | { readonly kind: 'picked'; readonly value: string }
  /** Left without a choice. */
  | { readonly kind: 'left' };

/** Rows that Page Up and Page Down go. */
const PAGE = 8;

/** A picker that waits for its entries. */
export const openPicker = (asks: Pick<Picker, 'command' | 'title' | 'current' | 'takesText'>): Picker => ({
  ...asks,
  search: EMPTY_EDITOR,
  picked: 0,
});

/** The picker with its entries; the one that counts now is picked first. */
export function fillPicker(picker: Picker, entries: readonly PickerEntry[]): Picker {
  const filled = { ...picker, entries };
  const current = foundEntries(filled).findIndex(({ value }) => value === picker.current);
  return { ...filled, picked: Math.max(0, current) };
}

/** The entries in which every word that was typed occurs. */
export function foundEntries({ entries = [], search }: Picker): readonly PickerEntry[] {
  const words = search.text.toLowerCase().split(/\s+/);
  return entries.filter(({ value, label, detail = '' }) => {
    const text = `${label} ${value} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** What was typed, where Enter takes it as it is. */
export function typedValue(picker: Picker): string | undefined {
  const text = picker.search.text.trim();
  return picker.takesText && picker.entries && text !== '' && foundEntries(picker).length === 0 ? text : undefined;
}

/** What a key does. */
export function stepPicker(picker: Picker, key: Key): PickerStep {
  const found = foundEntries(picker);
  const move = (to: number): PickerStep => ({ kind: 'picker', picker: { ...picker, picked: Math.max(0, Math.min(to, found.length - 1)) } });
  const last = found.length - 1;
  if (key.kind === 'control' && (key.letter === 'c' || key.letter === 'd')) return { kind: 'left' };
  switch (nameOf(key)) {
    case 'escape':
      return { kind: 'left' };
    case 'enter': {
      const value = found[picker.picked]?.value ?? typedValue(picker);
      return value === undefined ? { kind: 'picker', picker } : { kind: 'picked', value };
    }
    case 'up':
      return move(picker.picked === 0 ? last : picker.picked - 1);
    case 'down':
      return move(picker.picked === last ? 0 : picker.picked + 1);
    case 'page-up':
      return move(picker.picked - PAGE);
    case 'page-down':
      return move(picker.picked + PAGE);
    default:
      return { kind: 'picker', picker: searchWith(picker, key) };
  }
}

/** Ctrl-P and Ctrl-N are the arrows, as where a line is edited. */
const nameOf = (key: Key): string | undefined =>
  key.kind === 'named'
    ? key.name
    : key.kind !== 'control'
      ? undefined
      : key.letter === 'p'
        ? 'up'
        : key.letter === 'n'
          ? 'down'
          : undefined;

function searchWith(picker: Picker, key: Key): Picker {
  const line: Key = key.kind === 'paste' ? { kind: 'paste', text: key.text.replace(/\s+/g, ' ') } : key;
  const { state: search, outcome } = editLine(picker.search, line);
  if (outcome.kind !== 'edited') return picker;
  return { ...picker, search, picked: search.text === picker.search.text ? picker.picked : 0 };
}
