import { ToolFailure, type Workspace } from '@codelab/workspace';
import { commandPath, fillCommand } from '../../core/chat/custom-command.js';

/**
 * The message of a command that the workspace defines. Throws an error that says why there is none: links that lead out of the workspace and
 * files that look like secrets are not read, as for every file that goes with a message.
 */
export async function readCustomCommand(attachments: Workspace['attachments'], name: string, args: string): Promise<string> {
  const path = commandPath(name);
  const [file] = await attachments.read([{ path }]).catch((error: unknown) => {
    if (!(error instanceof ToolFailure) || error.code !== 'FILE_NOT_FOUND') throw error;
    throw new Error(`There is no command /${name}, nor a file ${path}. /help lists them; to send it as a message, put a space before it.`, {
      cause: error,
    });
  });
  const message = fillCommand(file?.content ?? '', args);
  if (message === '') throw new Error(`${path} says nothing: the text in it is the message that /${name} sends.`);
  return message;
}
