import type { LineReader } from './line-reader.js';

/** Whether a hunk starts with this line, be it a broken one: a bare `@@` says that there is a hunk, and not where it goes. */
export const isHunkHeader = (line: string): boolean => line.startsWith('@@');

/** The end of a letter: two dashes and a blank, then the version of git or what else the sender puts there. Editors strip the blank. */
export const isSignature = (reader: LineReader): boolean => {
  const [line, next = ''] = [(reader.peek() ?? '').replace(/\r$/, ''), reader.peek(1)];
  return line === '-- ' ? /^(?!diff --git )[^-+@\\\s]/.test(next) : line === '--' && /^\d+\.\d+/.test(next);
};
