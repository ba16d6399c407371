import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import type { Picture, Size } from './screen.js';
import { Screen } from './screen.js';

/** As much of a terminal as the screen relies on: anything else in the output fails the test. */
class Terminal {
  private readonly lines: string[] = [''];
  row = 0;
  column = 0;
  cursorShown = true;
  written = 0;

  write(output: string): void {
    // oxlint-disable-next-line no-control-regex
    for (const part of output.match(/\x1b\[[?\d;]*[A-Za-z]|\r|\n|[^\x1b\r\n]/gu) ?? []) this.take(part);
  }

  get text(): string[] {
    return this.lines.map((line) => line.trimEnd());
  }

  private take(part: string): void {
    const code = /^\x1b\[(\??[\d;]*)([A-Za-z])$/.exec(part); // oxlint-disable-line no-control-regex
    const count = Number(code?.[1] || 1);
    if (part === '\r') this.column = 0;
    else if (part === '\n') this.goTo(this.row + 1);
    else if (!code) this.put(part);
    else if (code[2] === 'A') this.row = Math.max(0, this.row - count);
    else if (code[2] === 'B') this.row = Math.min(this.lines.length - 1, this.row + count);
    else if (code[2] === 'C') this.column += count;
    else if (code[2] === 'J') this.lines.splice(this.row, Infinity, this.lines[this.row]!.slice(0, this.column));
    else if (code[2] === 'K') this.lines[this.row] = '';
    else if (code[1] === '?25') this.cursorShown = code[2] === 'h';
    else if (code[1] !== '?2026') throw new Error(`unexpected ${JSON.stringify(part)}`);
  }

  private put(character: string): void {
    const line = this.lines[this.row]!.padEnd(this.column);
    this.lines[this.row] = line.slice(0, this.column) + character + line.slice(this.column + 1);
    this.column += 1;
    this.written += 1;
  }

  private goTo(row: number): void {
    while (this.lines.length <= row) this.lines.push('');
    this.row = row;
  }
}

const SIZE: Size = { columns: 40, rows: 10 };
const lines = (...texts: string[]): Line[] => texts.map((text) => [span(text)]);
const trim = (texts: string[]): string[] => (texts.at(-1) === '' ? trim(texts.slice(0, -1)) : texts);

test('settled rows stay, live rows are drawn again below them', () => {
  const [screen, terminal] = [new Screen(), new Terminal()];
  terminal.write(screen.update({ settled: lines('one'), live: lines('spin 1', 'input') }, SIZE));
  terminal.write(screen.update({ settled: [], live: lines('spin 2', 'input') }, SIZE));
  terminal.write(screen.update({ settled: lines('two', 'three'), live: lines('input') }, SIZE));
  expect(trim(terminal.text)).toEqual(['one', 'two', 'three', 'input']);
});

test('only the row that changed is written', () => {
  const [screen, terminal] = [new Screen(), new Terminal()];
  terminal.write(screen.update({ settled: [], live: lines('aaaa', 'spin 1', 'bbbb') }, SIZE));
  const before = terminal.written;
  terminal.write(screen.update({ settled: [], live: lines('aaaa', 'spin 2', 'bbbb') }, SIZE));
  expect(terminal.written - before).toBe('spin 2'.length);
  expect(screen.update({ settled: [], live: lines('aaaa', 'spin 2', 'bbbb') }, SIZE)).toBe('');
});

test('the cursor stands where the user types', () => {
  const [screen, terminal] = [new Screen(), new Terminal()];
  terminal.write(screen.update({ settled: [], live: lines('› hello', 'status'), cursor: { row: 0, column: 7 } }, SIZE));
  expect([terminal.row, terminal.column, terminal.cursorShown]).toEqual([0, 7, true]);
  terminal.write(screen.update({ settled: [], live: lines('panel', '› hello', 'status'), cursor: { row: 1, column: 3 } }, SIZE));
  expect([terminal.row, terminal.column]).toEqual([1, 3]);
  terminal.write(screen.update({ settled: [], live: lines('panel', '› hello', 'status') }, SIZE));
  expect(terminal.text).toEqual(['panel', '› hello', 'status']);
});

test('the live part never outgrows the terminal', () => {
  const [screen, terminal] = [new Screen(), new Terminal()];
  const many = Array.from({ length: 30 }, (_, index) => `row ${index}`);
  terminal.write(screen.update({ settled: [], live: lines(...many), cursor: { row: 29, column: 2 } }, SIZE));
  expect(trim(terminal.text)).toEqual(many.slice(-9));
  expect(terminal.row).toBe(8);
});

test('clearing leaves what was settled', () => {
  const [screen, terminal] = [new Screen(), new Terminal()];
  terminal.write(screen.update({ settled: lines('kept'), live: lines('input', 'status'), cursor: { row: 0, column: 2 } }, SIZE));
  terminal.write(screen.clear());
  expect(trim(terminal.text)).toEqual(['kept']);
  terminal.write(screen.update({ settled: lines('more'), live: [] }, SIZE));
  expect(trim(terminal.text)).toEqual(['kept', 'more']);
});

test('a narrower terminal that broke the rows is drawn anew from where they began', () => {
  const screen = new Screen();
  screen.update({ settled: [], live: lines('x'.repeat(30), 'input'), cursor: { row: 1, column: 2 } }, SIZE);
  const output = screen.update(
    { settled: [], live: lines('x'.repeat(12), 'input'), cursor: { row: 1, column: 2 } },
    { columns: 20, rows: 10 },
  );
  expect(output).toContain('\x1b[2A\r\x1b[J');
});

test('after any pictures, the terminal shows all settled rows and the last live ones', () => {
  const text = fc.constantFrom('', 'a', 'bb', 'ccc', 'spin');
  const picture = fc.record({
    settled: fc.array(text, { maxLength: 3 }),
    live: fc.array(text, { maxLength: 6 }),
    cursor: fc.option(fc.nat(5), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(picture, { minLength: 1, maxLength: 8 }), (pictures) => {
      const [screen, terminal] = [new Screen(), new Terminal()];
      for (const { settled, live, cursor } of pictures) {
        const row = cursor === undefined || live.length === 0 ? undefined : cursor % live.length;
        const shown: Picture = {
          settled: lines(...settled),
          live: lines(...live),
          cursor: row === undefined ? undefined : { row, column: 1 },
        };
        terminal.write(screen.update(shown, SIZE));
      }
      expect(trim(terminal.text)).toEqual(trim([...pictures.flatMap(({ settled }) => settled), ...pictures.at(-1)!.live]));
    }),
  );
});
