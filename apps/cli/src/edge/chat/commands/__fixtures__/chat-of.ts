import type { CommandContext } from '../command-effect.js';

/** A chat for one command: what it says is its answer. */
export function chatOf(parts: Partial<ReturnType<CommandContext['connected']>> & Partial<Omit<CommandContext, 'connected' | 'say'>>): {
  readonly chat: CommandContext;
  /** Enters the command, and returns what it says. */
  readonly answerTo: (command: (text: string) => Promise<void>) => (text: string) => Promise<string>;
} {
  const { client, workspace, ...others } = parts;
  let said: string[] = [];
  const chat = { ...others, connected: () => ({ client, workspace }), say: (text: string) => void said.push(text) };
  return {
    chat: chat as unknown as CommandContext, // a test gives what its command uses
    answerTo: (command) => async (text) => {
      said = [];
      await command(text);
      return said.join('\n');
    },
  };
}
