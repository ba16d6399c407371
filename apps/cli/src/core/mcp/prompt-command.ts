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
export function readPromptArguments({ arguments: wanted = [] }: Prompt, text: string): PromptArguments | string {
  const { given, free, left } = assignWords(wanted, text);
  if (left.length > 0) {
    const last = wanted.at(-1)?.name;
    if (last === undefined) return 'The prompt takes no arguments.';
    given[last] = [given[last] ?? '', ...left].join(' ').trim();
  }
  const missing = wanted.filter(({ name, required }) => required === true && free.includes(name)).map(({ name }) => name);
  return missing.length === 0 ? given : `It needs ${missing.join(' and ')}.`;
}

type PromptArguments = Readonly<Record<string, string>>;
type Wanted = NonNullable<Prompt['arguments']>;

/** Gives each word to its argument. `free`: arguments without one, in order; `left`: words that no argument is free for. */
function assignWords(
  wanted: Wanted,
  text: string,
): { readonly given: Record<string, string>; readonly free: readonly string[]; readonly left: readonly string[] } {
  const given: Record<string, string> = {};
  const free = wanted.map(({ name }) => name);
  const left: string[] = [];
  for (const [whole, label, double, single, bare] of text.matchAll(/([\w.-]+=)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)) {
    const value = double ?? single ?? bare ?? '';
    const name = label?.slice(0, -1);
    if (name !== undefined && wanted.some((one) => one.name === name)) {
      given[name] = value;
      if (free.includes(name)) free.splice(free.indexOf(name), 1);
      continue;
    }
    const next = free.shift();
    if (next === undefined) left.push(whole);
    else given[next] = label === undefined ? value : whole;
  }
  return { given, free, left };
}

/** The argument of a prompt that is being typed. */
export interface OpenArgument {
  /** Where its word begins. */
  readonly start: number;
  /** The word as it stands. */
  readonly word: string;
  /** The argument that it is for; none where each has one. */
  readonly name: string | undefined;
  /** What its value begins with. */
  readonly value: string;
  /** It was written as `name=value`. */
  readonly named: boolean;
  /** The values of others that were typed before it, and the arguments that have none. */
  readonly given: PromptArguments;
  readonly free: readonly string[];
}

/** A word with the blanks behind it: nobody types it any more. */
const WHOLE_WORD = /\s*(?:[\w.-]+=)?(?:"[^"]*"|'[^']*'|[^\s"']\S*)\s+/y;

/** The argument at the end of what was typed behind the command of a prompt. */
export function openArgumentOf({ arguments: wanted = [] }: Prompt, text: string): OpenArgument {
  let start = 0;
  for (const whole = new RegExp(WHOLE_WORD); whole.test(text);) start = whole.lastIndex;
  const word = text.slice(start).trimStart();
  start = text.length - word.length;
  const { given, free } = assignWords(wanted, text.slice(0, start));
  const label = /^([\w.-]+)=/.exec(word)?.[1];
  const named = label !== undefined && wanted.some(({ name }) => name === label);
  const typed = named ? word.slice(label.length + 1) : word;
  return { start, word, named, name: named ? label : free[0], value: typed.replace(/^["']/, ''), given, free };
}

/** Characters of a value that are offered. */
const MAX_VALUE = 200;

/** What the word of an argument can become: the values that its server knows, then the names of arguments that are free. */
export function argumentCandidates({ name, named, word, free }: OpenArgument, values: readonly string[]): readonly string[] {
  const words = values.flatMap((value) => writeArgument(value) ?? []).map((value) => (named ? `${name ?? ''}=${value}` : value));
  const names = named ? [] : free.filter((one) => /^[\w.-]+$/.test(one)).map((one) => `${one}=`);
  return [...new Set([...words, ...names.filter((one) => one.startsWith(word))])];
}

/** A value as it is typed; undefined if it can't be. */
function writeArgument(value: string): string | undefined {
  if (value === '' || value.length > MAX_VALUE || /[\p{Cc}\u2028\u2029]/u.test(value)) return undefined;
  if (!/[\s"']/.test(value)) return value;
  return value.includes('"') ? (value.includes("'") ? undefined : `'${value}'`) : `"${value}"`;
}
