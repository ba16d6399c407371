import type { SimpleCommand } from '../commands/judge-command.js';

/** The beginning of a command that a rule can be made of. */
export interface CommandPrefix {
  readonly words: readonly string[];
  /** The whole command, and nothing after it. */
  readonly exact: boolean;
}

/** Programs whose second word says what they do; and words after which one more belongs to it. */
const WITH_VERB = /^(?:git|npm|pnpm|yarn|bun|cargo|go|make|just|task|rake|mvn|gradle|dotnet|composer|bundle|poetry|uv)$/;
const RUNS_SCRIPT = /^(?:run|run-script)$/;

/** The beginnings of a command that a rule may name, narrowest first: all of it, and where it is safe to say so what it begins with. */
export function prefixesOf({ words, literal }: SimpleCommand): readonly CommandPrefix[] {
  if (!literal || words.length === 0) return [];
  const [program = '', verb = ''] = words;
  const length = !WITH_VERB.test(program) ? 0 : RUNS_SCRIPT.test(verb) ? 3 : 2;
  const named = length > 0 && words.length >= length && words.slice(1, length).every((word) => /^[a-z]/i.test(word));
  return [{ words, exact: true }, ...(named ? [{ words: words.slice(0, length), exact: false }] : [])];
}
