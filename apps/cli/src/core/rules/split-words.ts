/** Something in a command that only a shell could make words of. */
const SHELL = /[$`;|&<>(){}*?!#~\n]/;

/**
 * Takes a command apart as a shell does: blanks between words, quotes around what belongs together. Undefined where a shell would do more:
 * a rule names words, not programs of a shell.
 */
export function splitWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  const piece = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/gsy;
  let word: string | undefined;
  while (piece.lastIndex < command.length) {
    const match = piece.exec(command);
    if (!match) return undefined;
    const [whole, single, double, escaped, plain] = match;
    if (/^\s/.test(whole)) {
      if (whole.includes('\n')) return undefined;
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if ((plain !== undefined && SHELL.test(plain)) || (double !== undefined && /[$`]/.test(double))) return undefined;
    word = (word ?? '') + (single ?? double?.replaceAll(/\\([\\"])/g, '$1') ?? escaped ?? plain!);
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 ? undefined : words;
}
