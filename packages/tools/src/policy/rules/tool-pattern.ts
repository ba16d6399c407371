import { readMcpToolName } from '../../names/mcp-name.js';
import { CANONICAL_TOOLS, CAPABILITIES } from '../../tools/tools.js';

/** What a pattern stands for beside every tool: names that begin so. */
const prefixOf = (tool: string): string | undefined => (tool !== '*' && tool.endsWith('*') ? tool.slice(0, -1) : undefined);

/**
 * Whether a rule names a tool: to the letter, or as `mcp__github__*` every tool from outside whose name begins so. No pattern is about a tool of
 * the specification.
 * @param isCanonical the called tool is one of ours, by its definition
 */
export function namesTool(pattern: string, name: string, isCanonical: boolean): boolean {
  if (pattern === name) return true;
  const prefix = prefixOf(pattern);
  return prefix !== undefined && !isCanonical && name.startsWith(prefix);
}

/** What is wrong with a pattern of a rule, as a clause; `undefined` for a name without wildcard, and for a pattern that can be one. */
export function findPatternFault(tool: string, effect: 'allow' | 'ask' | 'deny' | undefined): string | undefined {
  if (tool === '*' || !tool.includes('*')) return undefined;
  const prefix = prefixOf(tool);
  if (prefix === undefined || prefix.includes('*')) return `"${tool}" has a "*" elsewhere than at its end`;
  const ours = [...CANONICAL_TOOLS, ...CAPABILITIES.map(({ name }) => name)].find((name) => name.startsWith(prefix));
  if (ours !== undefined) return `"${tool}" would be about ${ours}, too; a pattern is for tools from outside, so name that tool itself`;
  if (effect === 'allow' && 'mcp__'.startsWith(prefix.slice(0, 5)) && serverOf(tool) === undefined) {
    return `the rule is too wide: it would allow tools of every MCP server; name one, as in mcp__github__*`;
  }
  return undefined;
}

/** The MCP server whose tools a pattern is about: all of them, or those that begin so. */
export const serverOf = (pattern: string): string | undefined => readMcpToolName(pattern)?.server;
