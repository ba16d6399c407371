import type { JsonSchema, ModelRequest, ModelTool } from '../../../canonical/message.js';
import { asFlag, asList, asObject, asText, type Fields } from '../../../json/read-json.js';
import { quote, refuse } from '../../../check/refuse.js';
import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import { findVendorName } from './vendor-types.js';

export interface DecodedTools {
  readonly tools: readonly ModelTool[];
  /** The types of tools that run on Anthropic's servers: no other model can use them (RQ23). */
  readonly hosted: readonly string[];
}

/** Reads `tools` that `checkTools` passed. Throws `ApiError` where nothing is left without those that run on Anthropic's servers. */
export function decodeTools(value: unknown): DecodedTools {
  const tools: ModelTool[] = [];
  const hosted: string[] = [];
  for (const tool of asList(value).map(asObject)) {
    const type = asText(tool.type) ?? 'custom';
    const vendorName = findVendorName(type);
    if (type === 'custom') tools.push(decodeCustom(tool));
    else if (vendorName !== undefined) tools.push(decodeVendor(tool, type, vendorName));
    else hosted.push(type);
  }
  if (tools.length === 0 && hosted.length > 0) {
    throw refuse('tools[0].type', `${quote(hosted[0])} runs on Anthropic's servers, and this model is not one of Anthropic's`);
  }
  return { tools, hosted };
}

function decodeCustom({ name, description, input_schema, strict, cache_control }: Fields): ModelTool {
  return {
    name: name as string,
    description: asText(description) ?? '',
    parameters: input_schema as JsonSchema,
    strict: asFlag(strict) && 'if_possible', // Anthropic is strict about more schemas than others
    cache: decodeCacheMark(cache_control),
  };
}

/** The vendor knows what it is for and which arguments it has. */
function decodeVendor({ name, cache_control, ...settings }: Fields, type: string, ownName: string): ModelTool {
  const [description, parameters] = ['', { type: 'object' }];
  return { name: asText(name) ?? ownName, description, parameters, vendor: { ...settings, type }, cache: decodeCacheMark(cache_control) };
}

type Choice = Pick<ModelRequest, 'toolChoice' | 'parallelToolCalls'>;

/** Reads `tool_choice`; absence stays absence. */
export function decodeChoice(value: unknown, { tools, hosted }: DecodedTools): Choice {
  const { type, name, disable_parallel_tool_use: disabled } = asObject(value);
  const parallelToolCalls = typeof disabled === 'boolean' ? !disabled : undefined;
  switch (type) {
    case 'auto':
      return { toolChoice: 'auto', parallelToolCalls };
    case 'any':
      return { toolChoice: 'required', parallelToolCalls };
    case 'none':
      return { toolChoice: 'none' };
    case 'tool':
      if (tools.some((tool) => tool.name === name)) return { toolChoice: { name: name as string }, parallelToolCalls };
      throw refuse('tool_choice', `names a tool that runs on Anthropic's servers (${hosted.join(', ')}), which this model can't use`);
    default:
      return {};
  }
}
