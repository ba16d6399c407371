/** Longer names fill the room that clients have for all headers. */
const MAX_CHARACTERS = 256;

/** A text that came from outside, fit for a header. */
export const printable = (text: string): string => text.slice(0, MAX_CHARACTERS).replace(/[^\x20-\x7e]/g, '?');
