import { asList, asObject, childrenOf, DIALECTS, editMembers, type DialectName } from '@codelab/llm';
import type { ToolInfo } from './tool-info.js';

/** A tool as the request itself declares it, as far as it matters here. */
export interface DeclaredTool {
  readonly name: string;
  readonly parameters: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** The tools that a request declares. What is no tool there is left to whoever judges requests. */
export function declaredTools(body: Fields, dialect: DialectName): readonly DeclaredTool[] {
  return asList(body.tools).flatMap((tool) => {
    const { name, parameters } = DIALECTS[dialect].readTool(asObject(tool));
    return typeof name === 'string' ? [{ name, parameters }] : [];
  });
}

/**
 * A request's text with more tools behind its own, every other byte of a value as it was.
 * @param raw JSON text of an object, parsed before
 */
export function appendTools(raw: string, dialect: DialectName, tools: readonly ToolInfo[]): string {
  if (tools.length === 0) return raw;
  const member = [...childrenOf(raw)].findLast(({ key }) => key === 'tools');
  const text = member === undefined ? 'null' : raw.slice(member.start, member.end);
  const own = [...childrenOf(text)].map(({ start, end }) => text.slice(start, end));
  if (!text.startsWith('[') && text !== 'null') return raw; // no list: it will be refused
  const write = ({ name, description, inputSchema }: ToolInfo): string =>
    JSON.stringify(DIALECTS[dialect].writeTool({ name, description, parameters: inputSchema }));
  return editMembers(raw, { tools: `[${[...own, ...tools.map(write)].join(',')}]` });
}
