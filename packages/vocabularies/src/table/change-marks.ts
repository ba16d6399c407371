import { type Marks, type MarksChange, NO_MARKS } from './use-context.js';

/** Entries of each record that are kept; those that were set longest ago go first. */
const MAX_ENTRIES = 128;

const changed = <Value>(
  record: Readonly<Record<string, Value>>,
  changes: Readonly<Record<string, Value | null>> = {},
): Readonly<Record<string, Value>> => {
  const entries = new Map(Object.entries(record));
  for (const [key, value] of Object.entries(changes)) {
    entries.delete(key);
    if (value !== null) entries.set(key, value);
  }
  return Object.fromEntries([...entries].slice(-MAX_ENTRIES));
};

/** The marks after a use. */
export const changeMarks = (marks: Marks = NO_MARKS, { reads, cursors, cwd, started, todos }: MarksChange): Marks => ({
  reads: reads === undefined ? marks.reads : changed(marks.reads, reads),
  cursors: cursors === undefined ? marks.cursors : changed(marks.cursors, cursors),
  cwd: cwd ?? marks.cwd,
  started: started ?? marks.started,
  todos: todos ?? marks.todos,
});
