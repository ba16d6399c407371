import type { Command } from 'commander';
import type { UndoOptions } from '../undo/run-undo.js';

/** `codelab undo`: takes back what a turn did to files. */
export function registerUndo(program: Command): void {
  program
    .command('undo')
    .description('take back what a turn did to files, commands included; works without any server')
    .argument('[turn]', 'the turn, or the beginning of its name; without it the last one')
    .option('--workspace <dir>', 'the folder that it changed', '.')
    .option('--list', 'show the turns that can be undone')
    .option('--yes', 'do not ask at a terminal either')
    .option('--force', 'put files back that were changed since, too')
    .addHelpText('after', '\nExit code: 0 undone, 1 not all of it, 2 usage')
    .action(async (turn: string | undefined, options: UndoOptions) => {
      const { runUndo } = await import('../undo/run-undo.js');
      const { stdin, stdout, stderr } = process;
      process.exitCode = await runUndo(turn, options, { stdin, stdout, stderr });
    });
}
