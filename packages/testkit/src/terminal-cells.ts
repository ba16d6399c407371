import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless';

/** One character of a terminal's screen, and how it looks. */
export interface Cell {
  readonly text: string;
  /** Where it begins in the text of its row, in UTF-16 units. */
  readonly at: number;
  /** Columns that it fills: 1 or 2. */
  readonly width: number;
  /** A number of the palette, `#rrggbb`, or undefined for the terminal's own. */
  readonly colour?: number | string;
  readonly background?: number | string;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
  readonly strike: boolean;
}

/** The text of a buffer: what can be seen, or that and what has scrolled away. */
export function textOf(buffer: IBuffer, part: 'screen' | 'all'): string {
  const lines: string[] = [];
  for (let row = part === 'screen' ? buffer.baseY : 0; row < buffer.length; row += 1)
    lines.push(buffer.getLine(row)?.translateToString(true) ?? '');
  return lines.join('\n').trimEnd();
}

/** The rows that can be seen. */
export function cellsOf({ buffer, rows, cols }: Terminal): readonly (readonly Cell[])[] {
  const { active } = buffer;
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    const cells: Cell[] = [];
    let at = 0;
    for (let column = 0; column < cols; column += 1) {
      const cell = line?.getCell(column);
      if (!cell || cell.getWidth() === 0) continue; // the second half of a wide character
      cells.push(toCell(cell, at));
      at += cells.at(-1)!.text.length;
    }
    return cells;
  });
}

function toCell(cell: IBufferCell, at: number): Cell {
  return {
    text: cell.getChars() || ' ',
    at,
    width: cell.getWidth(),
    colour: colourOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colourOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strike: cell.isStrikethrough() !== 0,
  };
}

const colourOf = (isDefault: boolean, isRgb: boolean, value: number): number | string | undefined =>
  isDefault ? undefined : isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
