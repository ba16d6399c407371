import type { Command } from 'commander';
import type { ChatOptions } from '../chat/run-chat.js';

/** `codelab chat`: talks about the files of a folder, at a terminal. */
export function registerChat(program: Command): void {
  program
    .command('chat')
    .description('talk to an agent that works on the files of a folder')
    .argument('[message]', 'the first message')
    .option('--workspace <dir>', 'the folder', '.')
    .option(
      '--url <ws>',
      'address of a gateway, such as ws://127.0.0.1:8000/ws; without it the services of this machine, started if need be',
    )
    .option('--token <token>', 'token for the gateway')
    .option('--continue', 'go on with the last conversation of this folder')
    .option('--session <id>', 'go on with this conversation')
    .action(async (message: string | undefined, options: ChatOptions) => {
      const { runChat } = await import('../chat/run-chat.js');
      await runChat(message, options);
    });
}
