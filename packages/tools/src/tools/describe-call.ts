import { isJsonObject, type JsonObject } from '../arguments/json.js';
import { findTool } from './tools.js';

/** What says most of a call of the servers' own. */
const OF_SERVERS: Readonly<Record<string, string>> = { 'web.fetch': 'url', 'web.search': 'query' };

/**
 * The argument of a call that says most, for its line: the path, the command, the question; of a tool that is not ours all of them. Text
 * from outside, not made safe.
 *
 * @param argsText shown as it is where it is no JSON object
 */
export function describeCall(toolName: string, argsText: string): string {
  const args = parseObject(argsText === '' ? '{}' : argsText);
  if (args === undefined) return argsText;
  return (
    findTool(toolName)?.describe(args) ?? describeTask(toolName, args) ?? textAt(args, OF_SERVERS[toolName]) ?? describeArguments(args)
  );
}

/** What another agent is to do: `ask: find the port`. */
const describeTask = (toolName: string, { agent, description }: JsonObject): string | undefined =>
  toolName === 'task' && typeof agent === 'string' && typeof description === 'string' ? `${agent}: ${description}` : undefined;

/** `city: Bern, days: 3`. */
const describeArguments = (args: JsonObject): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

function textAt(args: JsonObject, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : args[name];
  return typeof value === 'string' ? value : undefined;
}

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
