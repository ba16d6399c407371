/** A mention that is being typed: `@src/a`, or `@"my fi`. */
export interface OpenMention {
  /** Where its `@` stands. */
  readonly start: number;
  readonly path: string;
}

/** It begins the text or follows a blank, a bracket or a quote: an e-mail address is none. */
const OPEN = /(?:^|[\s([{<'"«„“])@(?:"([^"\n]*)|([^\s"@]*))$/u;

/** The mention that the cursor stands at the end of, if any. */
export function mentionAt(text: string, cursor: number): OpenMention | undefined {
  const before = text.slice(0, cursor);
  const match = OPEN.exec(before.slice(before.lastIndexOf('\n') + 1));
  if (!match) return undefined;
  const path = match[1] ?? match[2] ?? '';
  return { start: cursor - path.length - (match[1] === undefined ? 1 : 2), path };
}

/** A path as it is mentioned; undefined if no mention can hold it. What may go on, a folder, has no closing quote yet. */
export function writeMention(path: string): string | undefined {
  if (/["\p{Cc}\u2028\u2029]/u.test(path)) return undefined;
  if (/^[^\s@]+$/u.test(path) && !/[.,;:!?)\]}>'»“”…]$/u.test(path)) return `@${path}`;
  return `@"${path}${path.endsWith('/') ? '' : '"'}`;
}
