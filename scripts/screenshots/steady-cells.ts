import type { Cell } from '@codelab/testkit';

/** What another run would show otherwise: how long things took, what turns, and ports. */
const UNSTEADY: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(?:\.\d+)? m?s\b/, '1.2 s'],
  [/127\.0\.0\.1:\d+/, '127.0.0.1:8000'],
  [/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/, '⠹'],
];

/** The rows as every run shows them. `more`: what else another run would show otherwise. */
export const steadyCells = (
  rows: readonly (readonly Cell[])[],
  more: readonly (readonly [RegExp, string])[] = [],
): readonly (readonly Cell[])[] => rows.map((row) => [...UNSTEADY, ...more].reduce(replaceAll, row));

function replaceAll(row: readonly Cell[], [pattern, steady]: (typeof UNSTEADY)[number]): readonly Cell[] {
  let cells = row;
  for (let from = 0; ;) {
    const text = cells.map((cell) => cell.text).join('');
    const found = pattern.exec(text.slice(from));
    if (!found) return cells;
    const begin = text.slice(0, from + found.index).length;
    const first = cells.findIndex((cell) => cell.at === begin);
    const look = cells[first]!;
    const after = cells.slice(cells.findIndex((cell) => cell.at === begin + found[0].length));
    const put = [...steady].map((one) => ({ ...look, text: one, width: 1 }));
    cells = [...cells.slice(0, first), ...put, ...after].map(withPlace());
    from = begin + steady.length;
  }
}

/** Cells with their places counted anew. */
function withPlace(): (cell: Cell) => Cell {
  let at = 0;
  return (cell) => {
    const placed = { ...cell, at };
    at += cell.text.length;
    return placed;
  };
}
