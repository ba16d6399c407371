import type { CommandContext } from '../command-effect.js';

/** What a command uses of a chat; a test gives no more. */
type Parts = Partial<Awaited<ReturnType<CommandContext['connected']>>> &
  Partial<Omit<CommandContext, 'connected' | 'say' | 'console'>> & { readonly console?: Partial<CommandContext['console']> };

/** A chat for one command: what it says is its answer. */
export function chatOf(parts: Parts): {
  readonly chat: CommandContext;
  /** Enters the command, and returns what it says. */
  readonly answerTo: (command: (text: string) => Promise<void>) => (text: string) => Promise<string>;
} {
  const { client, workspace, ...others } = parts;
  let said: string[] = [];
  const chat = { ...others, connected: () => Promise.resolve({ client, workspace }), say: (text: string) => void said.push(text) };
  return {
    chat: chat as unknown as CommandContext,
    answerTo: (command) => async (text) => {
      said = [];
      await command(text);
      return said.join('\n');
    },
  };
}
