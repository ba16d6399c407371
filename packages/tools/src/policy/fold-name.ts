/** Characters that some file systems leave out when they compare names (HFS+ does, and git guards against it). */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/g;

/** A name without letter case and in one composition of its characters, as file systems that ignore these compare it. */
export const foldCase = (name: string): string => name.normalize('NFKC').replace(IGNORED, '').toLowerCase();

/**
 * The name that a case-insensitive, Windows or macOS file system may take a segment for: lower case, composed, without ignored characters,
 * trailing dots and blanks, alternate data stream, or git's short 8.3 name.
 */
export const foldName = (segment: string): string => {
  const folded = foldCase(segment)
    .split(':', 1)[0]!
    .replace(/[. ]+$/, '');
  return /^git~\d+$/.test(folded) ? '.git' : folded;
};
