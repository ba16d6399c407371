import type { CommandJudgement, SimpleCommand } from '@codelab/tools';
import type { CallPreview } from '../executor.js';
import { MAX_PREVIEW_CHARACTERS } from '../limits.js';
import type { Commands } from './commands.js';
import type { HashedFiles } from './hash-operands.js';

const meaningOf = ({ words, literal, reason }: SimpleCommand): string =>
  `  ${words.join(' ')}${literal ? '' : ' … (some words only the shell can tell)'} — ${reason}`;

const filesOf = ({ operands, unbound }: HashedFiles): readonly string[] => [
  ...operands.map(({ path, sha256 }) => `  ${path}${sha256 === '' ? ' (not there)' : ''}`),
  ...unbound.map((path) => `  ${path} (outside of the workspace or unreadable: changes of it go unnoticed)`),
];

const section = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

const textOf = (command: string, cwd: string, judgement: CommandJudgement, files: HashedFiles): string =>
  [
    command,
    ...section(`In ${cwd === '.' ? 'the workspace' : cwd}: ${judgement.reason}.`, judgement.commands.map(meaningOf)),
    ...(judgement.commands.length === 0 ? ['', `In ${cwd === '.' ? 'the workspace' : cwd}: ${judgement.reason}.`] : []),
    ...section('Runs code of these files:', filesOf(files)),
  ].join('\n');

/** What an approver of a command is shown, and the files that the decision is bound to (H2). */
export async function previewCommand(commands: Commands, command: string, cwd = '.'): Promise<CallPreview> {
  const { judgement, files } = await commands.look(command, cwd);
  const text = textOf(command, cwd, judgement, files).slice(0, MAX_PREVIEW_CHARACTERS);
  return { preview: { kind: 'command', text }, operands: files.operands };
}
