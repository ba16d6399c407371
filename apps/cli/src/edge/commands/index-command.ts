import { InvalidArgumentError, type Command } from 'commander';
import type { IndexCommandOptions } from '../index/run-index.js';

const out = (text: string): void => void process.stdout.write(text);

const limit = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100) throw new InvalidArgumentError('it is a number from 1 to 100');
  return value;
};

/** `codelab index`: the knowledge of a workspace's code. */
export function registerIndex(program: Command): void {
  const index = program.command('index').description('the knowledge of the code: how far it is, what it finds');
  const sub = (name: string, description: string): Command =>
    index
      .command(name)
      .description(description)
      .option('--workspace <dir>', 'the folder that it is of', '.')
      .option('--json', 'one line of JSON');
  sub('status', 'bring it up to date, and show how far it is').action(async (options: IndexCommandOptions) => {
    const { runIndexStatus } = await import('../index/run-index.js');
    await runIndexStatus(options, out);
  });
  sub('rebuild', 'throw it away and build it again').action(async (options: IndexCommandOptions) => {
    const { runIndexRebuild } = await import('../index/run-index.js');
    await runIndexRebuild(options, out);
  });
  sub('search', 'find places by what they are about, as a model does')
    .argument('<question>', 'what the code does, in plain words')
    .option('--limit <n>', 'at most so many places', limit, 8)
    .action(async (question: string, options: IndexCommandOptions & { readonly limit: number }) => {
      const { runIndexSearch } = await import('../index/run-index.js');
      await runIndexSearch(question, options, out);
    });
}
