import { SheafError } from './errors.mjs';

/** Where in a row the tokeniser stands. */
const START = 'start';
const PLAIN = 'plain';
const QUOTED = 'quoted';
const CLOSED = 'closed';

/**
 * Cuts text into rows of fields. The text may come in pieces: `write` returns the rows that are complete, `end` what is left.
 * A field is `{ text, quoted }`.
 */
export class Tokeniser {
  constructor(options) {
    this.options = options;
    this.state = START;
    this.text = '';
    this.wasQuoted = false;
    this.fields = [];
    this.rows = [];
    this.line = 1;
    this.column = 0;
    this.sawReturn = false;
  }

  write(chunk) {
    for (let at = 0; at < chunk.length; at += 1) {
      const char = chunk[at];
      this.column += 1;
      if (this.sawReturn) {
        this.sawReturn = false;
        if (char === '\n') {
          this.column = 0;
          continue;
        }
      }
      if (this.state === QUOTED) {
        if (char === this.options.quote) {
          if (chunk[at + 1] === this.options.quote) {
            this.add(char);
            this.column += 1;
            at += 1;
          } else {
            this.state = CLOSED;
          }
        } else {
          this.add(char);
          if (char === '\n') this.nextLine();
        }
        continue;
      }
      this.take(char);
    }
    return this.takeRows();
  }

  end() {
    if (this.state === QUOTED) this.fail('UNCLOSED_QUOTE', 'the text ends inside quotes');
    if (this.state !== START || this.fields.length > 0) this.endRow();
    return this.takeRows();
  }

  /** A character outside quotes. */
  take(char) {
    const { delim, quote } = this.options;
    if (char === delim) {
      this.endField();
    } else if (char === '\n' || char === '\r') {
      this.endRow();
      this.sawReturn = char === '\r';
      this.nextLine();
    } else if (this.state === CLOSED) {
      this.fail('UNEXPECTED_TEXT', `${JSON.stringify(char)} after a closing quote`);
    } else if (char === quote && this.state === START) {
      this.state = QUOTED;
      this.wasQuoted = true;
    } else {
      this.state = PLAIN;
      this.add(char);
    }
  }

  add(char) {
    if (this.text.length >= this.options.maxFieldLength) this.fail('FIELD_TOO_LONG', 'a field is longer than maxFieldLength');
    this.text += char;
  }

  endField() {
    const { trim } = this.options;
    this.fields.push({ text: trim && !this.wasQuoted ? this.text.trim() : this.text, quoted: this.wasQuoted });
    this.text = '';
    this.wasQuoted = false;
    this.state = START;
  }

  endRow() {
    const isEmpty = this.fields.length === 0 && this.text === '' && !this.wasQuoted;
    if (isEmpty && this.options.skipEmpty) return;
    this.endField();
    this.rows.push({ fields: this.fields, line: this.line });
    this.fields = [];
  }

  nextLine() {
    this.line += 1;
    this.column = 0;
  }

  takeRows() {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  fail(code, message) {
    throw new SheafError(code, message, { line: this.line, column: this.column });
  }
}
