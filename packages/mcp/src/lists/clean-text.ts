/** Escape sequences of terminals: CSI, OSC and the like, and single ones. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- they begin with control characters
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|\u009b[0-?]*[ -/]*[@-~]/g;

/** What nobody sees and a model may read: controls but tab and line feed, directions, tags, what is not assigned to a character. */
const UNSEEN = /(?![\t\n])\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}|\p{Co}|[\u2028\u2029]/gu;

/** How many times the length that is kept is looked at. */
const LOOKED_AT = 8;

/**
 * A text of a server, without what could steer a terminal or hide from a reader, cut to `max` characters with an ellipsis. Whatever its
 * size, the work is bounded by `max`.
 */
export function cleanText(text: string, max: number): string {
  const clean = text
    .slice(0, max * LOOKED_AT)
    .replace(/\r\n?/g, '\n')
    .replace(ESCAPES, '')
    .replace(UNSEEN, '');
  if (clean.length <= max && text.length <= max * LOOKED_AT) return clean;
  return `${clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The same for a text of one line. */
export const cleanLine = (text: string, max: number): string =>
  cleanText(
    text
      .slice(0, max * LOOKED_AT)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  );
