import { isLimited, readFrontMatter } from '@codelab/tools';
import { sanitiseLine } from '@codelab/tools/human';

/** A command that people wrote: a Markdown file, whose text is the message that `/NAME` sends. */
export interface CustomCommand {
  /** `fix`, or `git:commit` for a file in a folder. */
  readonly name: string;
  /** Whose it is. */
  readonly scope: 'workspace' | 'user';
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
}

/** What a command sends. */
export interface CustomMessage {
  readonly text: string;
  /** The model of this message. */
  readonly model?: string;
  /** The agent that the conversation has from this message on. */
  readonly agent?: string;
}

/** The file of a command, as it was found. `name`: below the folder of commands, with slashes; `text` absent: it can't be read. */
export interface CommandSource {
  readonly scope: CustomCommand['scope'];
  readonly name: string;
  readonly text?: string;
}

/** A message, and whose file says so. */
export interface FoundMessage extends CustomMessage {
  readonly scope: CustomCommand['scope'];
}

/** Why a command must not hand the conversation over to its agent; `undefined` if it may. A file of the workspace takes no limit away (H1). */
export function faultOfAgent({ scope, agent }: FoundMessage, current: string): string | undefined {
  if (scope === 'user' || agent === undefined || agent === current || !isLimited(current)) return undefined;
  return `wants the agent ${sanitiseLine(agent, 64)}, and a file of the workspace takes no limit away: the agent is ${current}. /agent NAME first, if you want that.`;
}

const FILE_NAME = /^((?:[a-z][a-z0-9_-]*\/){0,4}[a-z][a-z0-9_-]*)\.mdc?$/;

/** The name of the command that a file defines; undefined for one that could not be entered. */
export const commandName = (file: string): string | undefined => FILE_NAME.exec(file)?.[1]?.replaceAll('/', ':');

/** The file of a name, as it is written where there is none. */
export const commandPath = (name: string): string => `.codelab/commands/${name.replaceAll(':', '/')}.md`;

/** The file that a name means: that of the workspace before the person's own. */
export const findSource = <T extends CommandSource>(sources: readonly T[], name: string): T | undefined => {
  const named = sources.filter((source) => commandName(source.name) === name);
  return named.find(({ scope }) => scope === 'workspace') ?? named[0];
};

/** The commands that files define, by name; `taken` are the names that mean something else. */
export function listCustom(sources: readonly CommandSource[], taken: (name: string) => boolean): readonly CustomCommand[] {
  const names = new Set(sources.map(({ name }) => commandName(name)).filter((name) => name !== undefined && !taken(name)));
  return [...names].sort().map((name) => describe(name!, findSource(sources, name!)!));
}

function describe(name: string, { scope, text = '' }: CommandSource): CustomCommand {
  const { fields, body } = readFrontMatter(text);
  const hint = fields['argument-hint'];
  const first = body.split('\n').find((line) => line.trim() !== '') ?? '';
  return {
    ...{ name, scope, description: sanitiseLine(textOf(fields['description']) ?? first, 200) },
    hint: Array.isArray(hint) ? `[${hint.join(', ')}]` : textOf(hint), // `[text]` without quotes is a list
  };
}

const PLACES = /\$(ARGUMENTS|[1-9])(?!\w)/g;

/** The message of a command: what the file says below its front matter, with the arguments in their places, else after it. */
export function fillCommand(file: string, args: string): CustomMessage {
  const { fields, body } = readFrontMatter(file.replaceAll('\r\n', '\n'));
  const text = body.trim();
  const words = splitWords(args);
  const filled = text.replace(PLACES, (_, place: string) => (place === 'ARGUMENTS' ? args : (words[Number(place) - 1] ?? '')));
  const hasPlace = text.search(PLACES) !== -1;
  return {
    text: hasPlace || args === '' ? filled.trim() : `${filled}\n\n${args}`,
    model: textOf(fields['model']),
    agent: textOf(fields['agent']),
  };
}

/** The arguments one by one; what stands in quotes is one. */
const splitWords = (args: string): readonly string[] =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);
