import type { FromServer, Prompt } from '@codelab/mcp';
import type { CustomCommand } from '../commands/custom-command.js';
import { sanitiseLine } from '@codelab/tools/human';

/** A prompt of a server as a command of the chat: `/server:prompt`. */
export interface PromptCommand extends CustomCommand {
  readonly prompt: FromServer<Prompt>;
}

/** The part of a name that can be entered as a command. */
const toWord = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');

/** The prompts of servers as commands, by name. Names that would be the same have numbers. */
export function promptCommands(prompts: readonly FromServer<Prompt>[]): readonly PromptCommand[] {
  const taken = new Map<string, number>();
  return prompts.map((prompt) => {
    const server = toWord(prompt.server);
    const wanted = `${/^[a-z]/.test(server) ? server : `mcp-${server}`}:${toWord(prompt.name)}`;
    const count = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, count);
    const hint = prompt.arguments?.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
    return {
      ...{ prompt, name: count === 1 ? wanted : `${wanted}-${count}`, scope: 'user' },
      description: sanitiseLine(`${prompt.description ?? prompt.title ?? prompt.name} (MCP server ${prompt.server})`, 200),
      hint: hint === undefined || hint === '' ? undefined : sanitiseLine(hint, 100),
    };
  });
}

/**
 * The arguments of a prompt out of what was typed behind its command: one word each, in order, in quotes where it has blanks, or `name=value`; the
 * last one takes the rest. A string says what is missing.
 */
export function readPromptArguments({ arguments: wanted = [] }: Prompt, text: string): Readonly<Record<string, string>> | string {
  const given: Record<string, string> = {};
  const words = [...text.matchAll(/([\w.-]+=)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map(([whole, name, double, single, bare]) => ({
    ...{ whole, name: name?.slice(0, -1), value: double ?? single ?? bare ?? '' },
  }));
  const free = wanted.map(({ name }) => name);
  for (const { whole, name, value } of words) {
    if (name !== undefined && wanted.some((one) => one.name === name)) {
      given[name] = value;
      free.splice(free.indexOf(name), 1);
      continue;
    }
    const next = free.shift();
    if (next === undefined) {
      const last = wanted.at(-1)?.name;
      if (last === undefined) return 'The prompt takes no arguments.';
      given[last] = `${given[last] ?? ''} ${whole}`.trim();
    } else given[next] = name === undefined ? value : whole;
  }
  const missing = wanted.filter(({ name, required }) => required === true && given[name] === undefined).map(({ name }) => name);
  return missing.length === 0 ? given : `It needs ${missing.join(' and ')}.`;
}
