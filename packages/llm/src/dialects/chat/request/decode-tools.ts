import type { JsonSchema, ModelTool, ToolChoice } from '../../../canonical/message.js';
import { refuse } from '../../../check/refuse.js';
import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import { asFlag, asList, asObject, asText, type Fields } from '../../../json/read-json.js';

/** The tools of a request and what it says of their use. */
export interface DecodedTools {
  readonly tools: readonly ModelTool[];
  readonly toolChoice?: ToolChoice;
}

/** Reads `tools` and `tool_choice`, and `functions` and `function_call`, their form of old. Allowed tools are those that stay (RQ9). */
export function decodeTools({ tools, functions, tool_choice, function_call }: Fields): DecodedTools {
  const declared = [...asList(tools).map(readTool), ...asList(functions).map((one) => toTool(asObject(one)))];
  const choice = tool_choice ?? function_call;
  if (asObject(choice).type === 'allowed_tools') return allowTools(declared, asObject(asObject(choice).allowed_tools));
  const toolChoice = readChoice(choice);
  return { tools: declared, toolChoice };
}

function readTool(value: unknown, place: number): ModelTool {
  const tool = asObject(value);
  if (tool.type !== 'function') throw refuse(`tools[${place}].type`, 'the model of this request takes tools of the type "function" only');
  return toTool(asObject(tool.function), tool.cache_control);
}

function toTool({ name, description, parameters, strict, cache_control }: Fields, mark: unknown = cache_control): ModelTool {
  return {
    name: name as string,
    description: asText(description) ?? '',
    parameters: (parameters as JsonSchema | null | undefined) ?? { type: 'object', properties: {} },
    strict: asFlag(strict),
    cache: decodeCacheMark(mark),
  };
}

function allowTools(declared: readonly ModelTool[], { mode, tools }: Fields): DecodedTools {
  const names = new Set(asList(tools).map((entry) => asObject(asObject(entry).function).name ?? asObject(entry).name));
  const kept = declared.filter(({ name }) => names.has(name));
  return { tools: kept.length > 0 ? kept : declared, toolChoice: mode === 'required' ? 'required' : 'auto' };
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const named = asObject(choice);
  const name = asText(asObject(named.function).name ?? asObject(named.custom).name ?? named.name);
  return name === undefined ? undefined : { name };
}
