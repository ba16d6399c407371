import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `codelab completion <shell>`: prints what makes a shell complete the commands, made from the table of commands itself. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .description('print what makes your shell complete these commands')
    .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash: add to ~/.bashrc                     eval "$(codelab completion bash)"
zsh:  add to ~/.zshrc, after compinit      eval "$(codelab completion zsh)"
fish: once                                 codelab completion fish > ~/.config/fish/completions/codelab.fish`,
    )
    .action(async (shell: (typeof SHELLS)[number]) => {
      const [{ readCommandTree }, { bashCompletion }, { zshCompletion }, { fishCompletion }] = await Promise.all([
        import('../completion/read-command-tree.js'),
        import('../../core/completion/bash-completion.js'),
        import('../../core/completion/zsh-completion.js'),
        import('../../core/completion/fish-completion.js'),
      ]);
      const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
      process.stdout.write(write(readCommandTree(program)));
    });
}
