import type { Workspace } from '@codelab/workspace';
import { findCommand } from '../../core/commands/commands.js';
import { commandPath, fillCommand, findSource, listCustom } from '../../core/commands/custom-command.js';
import type { CustomCommand, FoundMessage } from '../../core/commands/custom-command.js';
import { CommandError } from '../../core/command-error.js';

/** The commands that people wrote: the workspace's, and their own below the directory of their configuration. */
export class CustomCommands {
  constructor(
    private readonly facts: Workspace['facts'],
    private readonly configDir: string | undefined,
  ) {}

  /** As they are now, by name; those with the name of one of ours are none. */
  async list(): Promise<readonly CustomCommand[]> {
    return listCustom(await this.facts.readCommands(this.configDir), (name) => findCommand(name) !== undefined);
  }

  /** The message of one. Throws `CommandError` that says why there is none. */
  async read(name: string, args: string): Promise<FoundMessage> {
    const source = findSource(await this.facts.readCommands(this.configDir), name);
    if (source === undefined)
      throw new CommandError(
        `There is no command /${name}, nor a file ${commandPath(name)}. /help lists them; to send it as a message, put a space before it.`,
      );
    if (source.text === undefined)
      throw new CommandError(`${source.path} can't be read: it is no text in UTF-8, too large, or a link that leads out.`);
    const message = fillCommand(source.text, args);
    if (message.text === '') throw new CommandError(`${source.path} says nothing: the text in it is the message that /${name} sends.`);
    return { ...message, scope: source.scope };
  }
}
