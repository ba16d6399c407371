/** What is wrong with a text or with an option. `line` and `column` count from 1, and are absent for options. */
export class SheafError extends Error {
  constructor(code, message, { line, column } = {}) {
    super(line === undefined ? message : `${message} (line ${line}, column ${column})`);
    this.name = 'SheafError';
    this.code = code;
    this.line = line;
    this.column = column;
  }
}
