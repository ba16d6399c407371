import type { JsonSchema, ModelRequest, ModelTool } from '../../../canonical/message.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { keepText } from '../../../json/index.js';
import { Memo } from '../../../memo.js';
import { encodeMark } from './encode-messages.js';
import { toStrictSchema } from './strict-schema.js';
import { findVendorName } from './vendor-types.js';
import type { WireTool, WireToolChoice } from '../wire.js';

export interface EncodeToolsOptions {
  readonly names: ToolNames;
  readonly thinks: boolean;
  /** Is told what could not be said. */
  readonly note: (text: string) => void;
  /** The same tools will be asked again. */
  readonly goesOn?: boolean;
}

export interface EncodedTools {
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: WireToolChoice;
}

/**
 * Writes tools and choice (docs/specification/llm-proxy.md#tool-choice). A history with calls needs tools: without any, those that it used are
 * declared as far as it shows them, and may not be called. A model that thinks refuses a forced choice: it gets only the tools that it may
 * choose from, and chooses itself (RQ28).
 */
export function encodeTools(request: ModelRequest, { names, thinks, note, goesOn = false }: EncodeToolsOptions): EncodedTools {
  const { tools, toolChoice: choice } = request;
  if (tools.length === 0) {
    const used = usedNames(request).map((name): WireTool => ({ name: names.toWire(name), input_schema: { type: 'object' } }));
    return used.length === 0 ? {} : { tools: used, tool_choice: { type: 'none' } };
  }
  const isForced = thinks && (choice === 'required' || typeof choice === 'object');
  if (isForced) note('tool_choice: a model that thinks chooses itself whether to call a tool; sent as auto');
  const chosen = isForced && typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools;
  const tool_choice = encodeChoice(isForced ? 'auto' : choice, request.parallelToolCalls, names);
  return {
    tools: (chosen.length > 0 ? chosen : tools).map((tool) => encodeTool(tool, names, goesOn)),
    tool_choice,
  };
}

/** The tools that a conversation called. */
function usedNames({ messages }: ModelRequest): string[] {
  const names = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool_call' ? [part.name] : [])));
  return [...new Set(names)];
}

const TOOLS = new Memo<ModelTool, WireTool>();

function encodeTool(tool: ModelTool, names: ToolNames, goesOn: boolean): WireTool {
  const wire = names.toWire(tool.name);
  return goesOn ? TOOLS.get(tool, [wire], () => keepText(writeTool(tool, wire))) : writeTool(tool, wire);
}

function writeTool({ description, parameters, strict, cache, vendor }: ModelTool, wire: string): WireTool {
  if (vendor && findVendorName(vendor.type) !== undefined) return { ...vendor, name: wire, ...encodeMark(cache) };
  return {
    name: wire,
    ...(description.trim() !== '' && { description }),
    input_schema: toObjectSchema(strict ? toStrictSchema(parameters) : parameters),
    ...(strict && { strict: true }),
    ...encodeMark(cache),
  };
}

/** Anthropic takes schemas of objects only, without a choice at the top: then the members of all choices are named. */
function toObjectSchema(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const choices = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  if (choices.length === 0) return schema.type === 'object' ? schema : { ...schema, type: 'object' };
  const members = [...choices, rest].flatMap(({ properties }) => Object.entries(properties ?? {}));
  return { ...rest, type: 'object', properties: Object.fromEntries(members) }; // where a member is named `__proto__`, it stays one
}

function encodeChoice(choice: ModelRequest['toolChoice'], parallel: boolean | undefined, names: ToolNames): WireToolChoice | undefined {
  const once = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined) return parallel === false ? { type: 'auto', ...once } : undefined;
  if (choice === 'none') return { type: 'none' };
  if (typeof choice === 'object') return { type: 'tool', name: names.toWire(choice.name), ...once };
  return { type: choice === 'required' ? 'any' : 'auto', ...once };
}
