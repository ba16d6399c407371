/** What may stand in the place of a value: one of these words, a path, or something that no shell can know. */
export type Value = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' | 'directory' | 'text' };

/** An option as it is typed: `names` are `--long` and perhaps `-s`. Without `value` it is a switch. */
export interface CompletedOption {
  readonly names: readonly string[];
  readonly description: string;
  readonly value?: Value;
}

/** A word that may come next: the name of a command below, or a value of the first argument. */
export interface CompletedWord {
  readonly word: string;
  readonly description: string;
}

/** One command of the table. `path` leads to it without the program's name: `sessions export`, and '' for the program itself. */
export interface CompletedCommand {
  readonly path: string;
  readonly words: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
}

/** The commands below one, and each by the path that leads there. */
export const stepsOf = (
  commands: readonly CompletedCommand[],
): readonly { readonly from: string; readonly word: string; readonly to: string }[] =>
  commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const words = path.split(' ');
      return { from: words.slice(0, -1).join(' '), word: words.at(-1)!, to: path };
    });
