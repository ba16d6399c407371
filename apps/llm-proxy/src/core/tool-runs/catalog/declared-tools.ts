import { childrenOf, editMembers } from '@codelab/llm';
import type { Dialect } from '../../dialect.js';
import type { ToolInfo } from './tool-info.js';

/** A tool as the request itself declares it, as far as it matters here. */
export interface DeclaredTool {
  readonly name: string;
  readonly parameters: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** Where a dialect keeps the name and the schema of a function. */
const READ: Readonly<Record<Dialect, (tool: Fields) => readonly [name: unknown, parameters: unknown]>> = {
  chat: (tool) => [asFields(tool.function).name, asFields(tool.function).parameters],
  messages: (tool) => [tool.name, tool.input_schema],
  responses: (tool) => [tool.name, tool.parameters],
};

const WRITE: Readonly<Record<Dialect, (tool: ToolInfo) => object>> = {
  chat: ({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } }),
  messages: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
  // strict is the default there, and would change what a schema means
  responses: ({ name, description, inputSchema }) => ({ type: 'function', name, description, parameters: inputSchema, strict: false }),
};

/** The tools that a request declares. What is no tool there is left to whoever judges requests. */
export function declaredTools(body: Fields, dialect: Dialect): readonly DeclaredTool[] {
  const tools = Array.isArray(body.tools) ? (body.tools as readonly unknown[]) : [];
  return tools.flatMap((tool) => {
    const [name, parameters] = READ[dialect](asFields(tool));
    return typeof name === 'string' ? [{ name, parameters }] : [];
  });
}

/**
 * A request's text with more tools behind its own, every other byte of a value as it was.
 * @param raw JSON text of an object, parsed before
 */
export function appendTools(raw: string, dialect: Dialect, tools: readonly ToolInfo[]): string {
  if (tools.length === 0) return raw;
  const member = [...childrenOf(raw)].findLast(({ key }) => key === 'tools');
  const text = member === undefined ? 'null' : raw.slice(member.start, member.end);
  const own = [...childrenOf(text)].map(({ start, end }) => text.slice(start, end));
  if (!text.startsWith('[') && text !== 'null') return raw; // no list: it will be refused
  return editMembers(raw, { tools: `[${[...own, ...tools.map((tool) => JSON.stringify(WRITE[dialect](tool)))].join(',')}]` });
}
