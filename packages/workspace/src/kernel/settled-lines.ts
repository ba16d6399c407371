import { stripVTControlCharacters } from 'node:util';

/** A line that is longer is given out though it may be written over yet. */
const MAX_PENDING = 64 * 1024;

/**
 * A stream as a terminal leaves it: of a line that is written over and over (a progress bar), what stood there last; no colours, nothing that
 * moves a cursor.
 */
export class SettledLines {
  private pending = '';

  /** What the text settles: whole lines, as a rule. */
  add(text: string): string {
    const lines = (this.pending + text).split('\n');
    const last = lines.pop()!;
    this.pending = last.length > MAX_PENDING ? '' : withoutOverwritten(last);
    const settled = lines.map((line) => `${settle(line)}\n`).join('');
    return last.length > MAX_PENDING ? settled + settle(last) : settled;
  }

  /** What is left: a line without its end. */
  end(): string {
    const rest = settle(this.pending);
    this.pending = '';
    return rest;
  }
}

/** A return at the very end may belong to a line end that is on its way. */
const withoutOverwritten = (line: string): string => {
  const at = line.lastIndexOf('\r', line.length - 2);
  return at === -1 ? line : line.slice(at + 1);
};

const settle = (line: string): string => {
  const written = stripVTControlCharacters(line).split('\r');
  return written.length === 1 ? written[0]! : (written.findLast((part) => part.trim() !== '') ?? '');
};
