import type { Rule, RuleProposal } from '@codelab/protocol';
import type { ToolPaths } from '../../tools/tool-definition.js';
import type { SimpleCommand } from '../../commands/judge-command.js';
import { suggestPrefixes } from '../../commands/rule-options/suggest-prefixes.js';
import type { JsonObject } from '../../arguments/json.js';
import { findAllowance } from './allowing-rules.js';
import { readMcpToolName } from '../../names/mcp-name.js';
import { WEB_FETCH } from '../call-host.js';
import { listNames, quoteWords } from './describe-rule.js';
import { findSensitive } from '../find-sensitive.js';
import { parseRule } from './parse-rule.js';
import { readCall, type CommandCall, type PolicyCall } from '../policy-call.js';
import { resolveInside } from '../resolve-inside.js';
import type { PolicySession } from '../policy-session.js';
import { toPolicyRule } from './to-policy-rule.js';

const ANY_DIGEST = '0'.repeat(64);

/** The directory that all paths lie in, `''` for the workspace. */
const commonDirectory = (paths: readonly string[]): string => {
  const [first = [], ...rest] = paths.map((path) => path.split('/').slice(0, -1));
  const length = first.findIndex((segment, index) => rest.some((other) => other[index] !== segment));
  return (length === -1 ? first : first.slice(0, length)).join('/');
};

/** What a call acts on beside the files that it names is part of what the rule allows. */
const besides = ({ takesAll, besides: more = '' }: Exclude<ToolPaths, string>): string =>
  `${takesAll === undefined ? '' : ', with all that lies in it where it is a directory'}${more}`;

const proposeForPaths = (tool: string, about: Exclude<ToolPaths, string>, given: readonly string[]): readonly RuleProposal[] => {
  const paths = [...new Set(given.map((path) => resolveInside('', path)))];
  if (paths.length === 0 || !paths.every((path) => path !== undefined && !/[*?]/.test(path))) return [];
  const known = paths as readonly string[];
  const directory = commonDirectory(known);
  const prefix = directory === '' ? '' : `${directory}/`;
  const place = directory === '' ? 'the workspace' : `${directory}/`;
  const flat = known.every((path) => path !== '' && path.lastIndexOf('/') === (directory === '' ? -1 : directory.length));
  const propose = (allows: string, path: string): RuleProposal => ({
    allows: `${tool} ${allows}${besides(about)}`,
    rule: { effect: 'allow', tool, path },
  });
  return [
    ...(known.length === 1 && known[0] !== '' ? [propose(`on ${known[0]!} only`, known[0]!)] : []),
    ...(flat ? [propose(`on any file directly in ${place}`, `${prefix}*`)] : []),
    ...(about.takesAll === 'deletes' && directory === '' ? [] : [propose(`on any file in ${place}, at any depth`, `${prefix}**`)]),
  ];
};

const filesOf = (simple: SimpleCommand, { cwd }: CommandCall): readonly string[] | undefined => {
  const files = simple.runs.map((file) => (cwd === undefined ? undefined : resolveInside(cwd, file)));
  return files.every((file) => file !== undefined) ? files : undefined;
};

/** See `RuleOptions`. */
const KNOWN_OPTIONS = ' with plain options and paths of the workspace';

/** A line can be allowed by one rule where it has one command that asks; which words the rule may name is not for the policy to say. */
const proposeForCommand = (tool: string, line: string, command: CommandCall): readonly RuleProposal[] => {
  const simple = command.commands.find(({ verdict, runs }) => verdict !== 'automatic' || runs.length > 0);
  const files = simple === undefined ? undefined : filesOf(simple, command);
  if (files === undefined) return [];
  const bound = files.length === 0 ? undefined : files.map((path) => ({ path }));
  const condition = files.length === 0 ? '' : ` while ${listNames(files)} ${files.length === 1 ? 'stays as it is' : 'stay as they are'}`;
  return suggestPrefixes(line).map(({ words, exact }) => ({
    allows: `${tool}: ${exact ? 'exactly' : 'commands that begin with'} \`${quoteWords(words)}\`${exact ? '' : KNOWN_OPTIONS}, in any directory of the workspace${condition}`,
    rule: { effect: 'allow', tool, command: [...words], exact: exact || undefined, files: bound },
  }));
};

/** A tool from outside: with any arguments; a page of the web by its host, and a tool of an MCP server with all others of it, too. */
const proposeForeign = ({ name, host }: PolicyCall): readonly RuleProposal[] => {
  if (name === WEB_FETCH)
    return host === undefined ? [] : [{ allows: `${name} of pages of ${host}`, rule: { effect: 'allow', tool: name, host } }];
  if (name.includes('*')) return []; // the rule would be about others, too
  const server = readMcpToolName(name)?.server;
  const own: RuleProposal = { allows: `${name} with any arguments`, rule: { effect: 'allow', tool: name } };
  if (server === undefined) return [own];
  const all = `mcp__${server}__*`;
  return [
    own,
    {
      allows: `every tool of the MCP server ${server} with any arguments, those too that it gets later`,
      rule: { effect: 'allow', tool: all },
    },
  ];
};

const proposeForCall = (call: PolicyCall, args: JsonObject): readonly RuleProposal[] => {
  const { name, about, paths, command, tool } = call;
  if (command !== undefined) return proposeForCommand(name, args['command'] as string, command);
  if (about !== undefined) return paths === undefined ? [] : proposeForPaths(name, about, paths);
  return tool === undefined ? proposeForeign(call) : [{ allows: `${name} with any arguments`, rule: { effect: 'allow', tool: name } }];
};

/** Whether the rule, made as it is proposed, would allow this very call. */
const helps = (rule: Rule, call: PolicyCall, session: PolicySession): boolean => {
  const parsed = parseRule(rule, 'allow');
  if (!parsed.ok) return false;
  const files = rule.files?.map(({ path }) => ({ path, sha256: ANY_DIGEST }));
  const made = toPolicyRule({ ...parsed.rule, files }, { scope: 'session' });
  return findAllowance(call, { ...session, rules: [made] }) !== undefined;
};

/** What a session can be offered: rules that count for its turns and that its executor can verify. */
export function proposeFor(call: PolicyCall, args: JsonObject, session: PolicySession): readonly RuleProposal[] {
  if (findSensitive(call, args) !== undefined) return [];
  return proposeForCall(call, args)
    .map(({ allows, rule }) =>
      session.origin === 'proxy'
        ? { allows: `${allows}, also for programs that come through the proxy`, rule: { ...rule, proxy: true } }
        : { allows, rule },
    )
    .filter(({ rule }) => helps(rule, call, session));
}

/**
 * Rules that would allow a call, narrowest first, each with a sentence that says exactly what it would allow from then on (H1). None for paths
 * that always ask and for commands that no rule can allow. `files` lack their `sha256`, see `bindRule`.
 *
 * @param origin `proxy` where a program asked: then they say that they hold for programs
 */
export const proposeRules = (toolName: string, args: JsonObject, origin?: 'proxy'): readonly RuleProposal[] =>
  proposeFor(readCall(toolName, args), args, { mode: 'medium', agent: 'coder', checksFiles: true, origin });
