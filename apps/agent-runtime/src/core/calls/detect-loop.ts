/** Calls that are remembered for it. */
const WINDOW = 4;

/**
 * Whether a call would close a circle: the same one three times in a row, or two in turn twice over (A-B-A-B).
 * @param recent signatures of the calls before it, the latest last
 * @returns what a human should know, or nothing
 */
export function detectLoop(recent: readonly string[], signature: string): string | undefined {
  const [c, b, a] = [recent.at(-1), recent.at(-2), recent.at(-3)];
  if (signature === c && c === b) return 'loop: the same call for the third time in a row';
  if (signature === b && c === a && c !== signature && c !== undefined) return 'loop: the same two calls in turn, for the second time';
  return undefined;
}

/** The signatures to remember. A loop that a human was asked about begins anew. */
export const rememberSignature = (recent: readonly string[], signature: string, asked: boolean): readonly string[] =>
  asked ? [signature] : [...recent, signature].slice(-WINDOW);
