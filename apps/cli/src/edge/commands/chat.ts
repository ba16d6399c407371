import type { Command } from 'commander';
import type { ChatOptions } from '../chat/run-chat.js';
import { withGateway } from './gateway-options.js';
import { withSessionChoices } from './session-options.js';

/** `codelab chat`: talks about the files of a folder, at a terminal. */
export function registerChat(program: Command): void {
  const command = withGateway(program.command('chat'), 'the services of this machine, started if need be')
    .description('talk to an agent that works on the files of a folder')
    .argument('[message]', 'the first message')
    .option('--workspace <dir>', 'the folder', '.')
    .option('--continue', 'go on with the last conversation of this folder')
    .option('--session <id>', 'go on with this conversation; the beginning of its id is enough');
  withSessionChoices(command, 'conversation').action(async (message: string | undefined, options: ChatOptions) => {
    const { runChat } = await import('../chat/run-chat.js');
    await runChat(message, options);
  });
}
