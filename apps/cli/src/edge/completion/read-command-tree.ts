import type { Command, Option } from 'commander';
import type { CompletedCommand, CompletedOption, Value } from '../../core/completion/command-tree.js';

/** The kinds of path, by the name that the usage gives the value: `--workspace <dir>`. */
const PATHS: Readonly<Record<string, Value>> = { dir: { kind: 'directory' }, path: { kind: 'file' }, file: { kind: 'file' } };

/** Every command below `command`, itself first, as the table of commands has it: what `--help` hides is left out. */
export function readCommandTree(command: Command, path: readonly string[] = []): readonly CompletedCommand[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command);
  const values = command.registeredArguments[0]?.argChoices ?? [];
  const own: CompletedCommand = {
    path: path.join(' '),
    words: [
      ...below.map((one) => ({ word: one.name(), description: one.summary() || one.description() })),
      ...values.map((word) => ({ word, description: '' })),
    ],
    options: help.visibleOptions(command).map(toOption),
  };
  return [own, ...below.filter((one) => one.name() !== 'help').flatMap((one) => readCommandTree(one, [...path, one.name()]))];
}

function toOption({ short, long, description, argChoices, required, optional, flags }: Option): CompletedOption {
  const names = [long, short].filter((name) => name !== undefined);
  if (!required && !optional) return { names, description };
  const placeholder = /[<[]([a-z]+)/.exec(flags)?.[1] ?? '';
  const value: Value = argChoices === undefined ? (PATHS[placeholder] ?? { kind: 'text' }) : { kind: 'words', words: argChoices };
  return { names, description, value };
}
