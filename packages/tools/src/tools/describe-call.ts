import { isJsonObject, type JsonObject } from '../arguments/json.js';
import { readMcpToolName } from '../names/mcp-name.js';
import { findTool } from './tools.js';

/**
 * The argument of a call that says most, for its line: the path, the command, the question. Text from outside, not made safe.
 *
 * @param argsText shown as it is where it is no JSON object, or the tool not ours
 */
export function describeCall(toolName: string, argsText: string): string {
  const args = parseObject(argsText === '' ? '{}' : argsText);
  if (args === undefined) return argsText;
  return (
    findTool(toolName)?.describe(args) ??
    describeTask(toolName, args) ??
    describeOfServer(toolName, args) ??
    (Object.keys(args).length === 0 ? '' : argsText)
  );
}

/** What another agent is to do: `ask: find the port`. */
const describeTask = (toolName: string, { agent, description }: JsonObject): string | undefined =>
  toolName === 'task' && typeof agent === 'string' && typeof description === 'string' ? `${agent}: ${description}` : undefined;

/** What a tool of an MCP server is given: `city: Bern  days: 3`. */
const describeOfServer = (toolName: string, args: JsonObject): string | undefined =>
  readMcpToolName(toolName) === undefined
    ? undefined
    : Object.entries(args)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join('  ');

/** What came out of a call, in a few words: `120 lines`, `exit 1`, `+3 −1`. Nothing where the shape is not known. Text from outside. */
export const summariseResult = (toolName: string, result: unknown): string | undefined =>
  isJsonObject(result) ? findTool(toolName)?.summarise?.(result) || undefined : undefined;

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
