import { renderEditor } from '../input/render-editor.js';
import type { Cursor } from '../screen/screen.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { measure, truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { keyRow } from '../approval/panel.js';
import { foundEntries, typedValue, type Picker, type PickerEntry } from './picker.js';

/** From this width on an entry and what is said of it stand in one row; below, only what is said of the picked one is shown, under it. */
const WIDE_COLUMNS = 60;
/** Columns that a label keeps, however long what is said beside it. */
const MIN_LABEL_COLUMNS = 24;
/** Rows around the entries: title, search, what is left out, keys in two rows. */
const ROWS_AROUND = 6;
const MAX_ENTRIES = 10;
const MAX_CHARACTERS = 300;
const MARGIN: Line = [span('  ')];

/** Draws a picker in the place of the line that is written. `maxRows`: rows that there are for it. */
export function renderPicker(picker: Picker, width: number, maxRows: number): { readonly rows: readonly Line[]; readonly cursor: Cursor } {
  const found = foundEntries(picker);
  const shown = Math.max(3, Math.min(MAX_ENTRIES, maxRows - ROWS_AROUND));
  const first = Math.max(0, Math.min(picker.picked - Math.floor(shown / 2), found.length - shown));
  const entries = found
    .slice(first, first + shown)
    .flatMap((entry, index) =>
      renderEntry(entry, { isPicked: first + index === picker.picked, isCurrent: entry.value === picker.current, width }),
    );
  const search = renderEditor(picker.search, width, 'type to search');
  const keys = keyRow([
    ['↑↓', 'choose'],
    ['Enter', 'take it'],
    ['Esc', 'back'],
  ]);
  const rows = [
    titleRow(picker, found.length, width),
    ...search.rows,
    ...entries,
    ...restRow(picker, found.length, shown).map((row) => truncateLine(row, width)),
  ];
  return {
    rows: [...rows, ...wrapSpans(keys, { width, first: MARGIN, rest: MARGIN })],
    cursor: { ...search.cursor, row: search.cursor.row + 1 },
  };
}

function titleRow({ title, entries, search }: Picker, found: number, width: number): Line {
  const all = entries?.length ?? 0;
  const count = entries === undefined ? '' : search.text === '' ? String(all) : `${found} of ${all}`;
  return truncateLine([span(`  ${title}`, 'strong'), span(count === '' ? '' : `  ${count}`, 'muted')], width);
}

function restRow(picker: Picker, found: number, shown: number): readonly Line[] {
  const { entries } = picker;
  if (entries === undefined) return [[span('    looking …', 'muted')]];
  if (found > 0) return found > shown ? [[span(`    ⋯ ${found} in all`, 'muted')]] : [];
  const typed = typedValue(picker);
  if (typed !== undefined)
    return [[span('  ▸ ', 'accent'), span(sanitiseLine(typed, MAX_CHARACTERS), 'strong'), span('  not listed', 'muted')]];
  return [[span(entries.length === 0 ? '    There is nothing to choose from.' : '    Nothing is called so.', 'muted')]];
}

interface EntryLook {
  readonly isPicked: boolean;
  readonly isCurrent: boolean;
  readonly width: number;
}

function renderEntry({ label, detail = '' }: PickerEntry, { isPicked, isCurrent, width }: EntryLook): readonly Line[] {
  const mark = [span(isPicked ? '  ▸ ' : '    ', 'accent')];
  const name = span(sanitiseLine(label, MAX_CHARACTERS), isPicked ? 'strong' : 'plain');
  const now = isCurrent ? [span(' ●', 'good')] : [];
  const said = span(sanitiseLine(detail, MAX_CHARACTERS), 'muted');
  const bare = [...truncateLine([...mark, name], width - measure(now)), ...now];
  if (width < WIDE_COLUMNS) return isPicked && said.text !== '' ? [bare, truncateLine([span('      '), said], width)] : [bare];
  const room = width - Math.min(measure([said]), width - MIN_LABEL_COLUMNS) - 2;
  const left = [...truncateLine([...mark, name], room - measure(now)), ...now];
  return [truncateLine([...left, span(' '.repeat(Math.max(2, room - measure(left) + 2))), said], width)];
}
