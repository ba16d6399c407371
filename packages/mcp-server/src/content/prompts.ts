import type { Prompt } from '@modelcontextprotocol/server';

/** A command that people wrote, as a prompt. */
export interface PromptText {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string | undefined;
}

/** The commands of the workspace and of its person. */
export interface PromptSource {
  list(): Promise<readonly PromptText[]>;
  /** The message of one, its arguments filled in; `undefined` where there is none. */
  read(name: string, args: string): Promise<string | undefined>;
}

/** The one argument of each. */
export const PROMPT_ARGUMENT = 'arguments';

/** As `prompts/list` tells it. */
export const toPrompt = ({ name, description, hint }: PromptText): Prompt => ({
  name,
  description,
  arguments: [{ name: PROMPT_ARGUMENT, description: hint ?? 'What the command is about.', required: false }],
});
