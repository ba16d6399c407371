import { clip } from '../render/clip.js';
import { MAX_RESULT } from '../render/cut.js';

/** Nothing that a model could read. */
const EMPTY = '(the tool answered nothing)';

/** What a model reads of a result from outside: its beginning and its end where it is too long, and never an empty text. */
export const fitText = (text: string): string =>
  text.trim() === ''
    ? EMPTY
    : clip(text, {
        head: MAX_RESULT - 10_000,
        tail: 8_000,
        mark: (left) => `[${String(left)} characters of the result are left out here; ask the tool for less]`,
      });
