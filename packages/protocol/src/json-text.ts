/**
 * A JSON value carried as the text it came in: never re-serialised, so `1e-7`, 2^53−1, key order and escapes survive every hop, and never
 * walked by whoever only passes it on.
 */
export class JsonText {
  /** @param text valid JSON; the caller has checked it */
  constructor(readonly text: string) {}

  /** The text of a value made here. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value));
  }

  /** The value; a new one at each call. */
  parse(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  toJSON(): unknown {
    return this.parse();
  }
}
