import type { Rule } from '@codelab/protocol';
import { serverOf } from './tool-pattern.js';

const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The words of a command, quoted where a shell would need it. */
export const quoteWords = (words: readonly string[]): string =>
  words.map((word) => (PLAIN_WORD.test(word) ? word : JSON.stringify(word))).join(' ');

const VERBS = { allow: 'allows', ask: 'asks for', deny: 'forbids' } as const;

/** "a", "a and b", "a, b and c". */
export const listNames = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;

/** What a rule names, in words. */
const nameTools = (tool: string): string => {
  if (tool === '*') return 'every tool';
  if (!tool.endsWith('*')) return tool;
  const server = serverOf(tool);
  return server !== undefined && tool === `mcp__${server}__*`
    ? `every tool of the MCP server ${server}`
    : `every tool whose name begins with ${tool.slice(0, -1)}`;
};

/** A rule in one line, for people: what it does, to what, as long as what, until when. */
export function describeRule({ effect = 'ask', tool, path, host, command, exact, files, proxy, expires_at_ms: ends }: Rule): string {
  const parts = [`${VERBS[effect]} ${nameTools(tool)}`];
  if (host !== undefined) parts.push(`of pages of ${host}`);
  if (path !== undefined) parts.push(`on ${path}`);
  if (command !== undefined) parts.push(`for ${exact === true ? 'exactly' : 'commands that begin with'} \`${quoteWords(command)}\``);
  if (files !== undefined) parts.push(`while ${listNames(files.map((file) => file.path))} ${files.length === 1 ? 'stays' : 'stay'} as now`);
  if (proxy === true) parts.push('also for programs that come through the proxy');
  if (ends !== undefined) parts.push(`until ${new Date(Math.min(ends, 8.64e15)).toISOString()}`);
  return parts.join(' ');
}
