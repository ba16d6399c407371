import { stepsOf, type CompletedCommand, type Value } from './command-tree.js';

/** A text in single quotes, for bash and zsh. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What the scripts call the value that is expected: a kind, or the words themselves. */
const nameOf = (value: Value): string => (value.kind === 'words' ? value.words.join(' ') : value.kind);

/**
 * The arms of a `case "$at|$word"` that bash and zsh read alike: a command that is entered moves `at`, an option that takes a value says in
 * `expects` what comes next.
 */
export function walkArms(commands: readonly CompletedCommand[], indent: string): string {
  const steps = stepsOf(commands).map(({ from, word, to }) => `${quote(`${from}|${word}`)}) at=${quote(to)} ;;`);
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === undefined ? [] : [`${names.map((name) => quote(`${path}|${name}`)).join(' | ')}) expects=${quote(nameOf(value))} ;;`],
    ),
  );
  return [...steps, ...values].map((arm) => `${indent}${arm}`).join('\n');
}
