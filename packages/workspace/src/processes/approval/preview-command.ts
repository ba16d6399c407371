import { describeCommand } from '@codelab/tools';
import type { CallPreview } from '../../executors/executor.js';
import { MAX_PREVIEW_CHARACTERS } from '../../limits.js';
import type { SystemShell } from '../shell/choose-shell.js';
import type { Commands } from '../commands.js';
import type { HashedFiles } from './hash-operands.js';

const filesOf = ({ operands, unbound }: HashedFiles): readonly string[] => [
  ...operands.map(({ path, sha256 }) => `  ${path}${sha256 === '' ? ' (not there)' : ''}`),
  ...unbound.map(
    (path) => `  ${path} (cannot be: it is outside of the workspace, unreadable or too large, and changes of it go unnoticed)`,
  ),
];

const section = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ['', title, ...lines]);

const textOf = (command: string, cwd: string, files: HashedFiles, { program, posix }: SystemShell): string =>
  [
    command,
    ...section(`In ${cwd === '.' ? 'the workspace' : cwd}:`, describeCommand(command).split('\n')),
    ...(posix ? [] : ['', `${program} runs it, and may read it in other ways than it is told here.`]),
    ...section('Bound to the content of:', filesOf(files)),
  ].join('\n');

/** What an approver of a command is shown, and the files that the decision is bound to (H2). */
export async function previewCommand(commands: Commands, command: string, cwd = '.'): Promise<CallPreview> {
  const files = await commands.look(command, cwd);
  const text = textOf(command, cwd, files, await commands.shell()).slice(0, MAX_PREVIEW_CHARACTERS);
  return { preview: { kind: 'command', text }, operands: files.operands };
}
