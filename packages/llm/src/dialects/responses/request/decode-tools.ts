import type { JsonSchema, ModelTool } from '../../../canonical/message.js';
import { asFlag, asList, asObject, asText, type Fields } from '../../../json/read-json.js';
import type { DeclaredTools } from './declared-tools.js';
import { refuse } from '../../../check/refuse.js';

/** A text without a form: what a `custom` tool takes, as the one argument of a function. */
const CUSTOM_PARAMETERS: JsonSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as it is.' } },
  required: ['input'],
  additionalProperties: false,
};

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/**
 * The tools that a model can be told of in any dialect, in their order: functions, those of namespaces, `custom` tools as functions of one
 * text, and `tool_search` where the caller runs it. What OpenAI would run itself (`web_search`, `file_search` …) is left out: no other
 * upstream has it, and Codex sends `web_search` with every request.
 */
export function decodeTools(tools: unknown, declared: DeclaredTools, param = 'tools'): ModelTool[] {
  return asList(tools).flatMap((tool, place) => decodeTool(asObject(tool), declared, `${param}[${place}]`));
}

function decodeTool(tool: Fields, declared: DeclaredTools, param: string, namespace?: string): ModelTool[] {
  switch (tool.type) {
    case 'function': {
      const name = declared.add({ kind: 'function', name: nameOf(tool, param), namespace });
      return [{ ...describe(tool, name), strict: asFlag(tool.strict) }];
    }
    case 'custom': {
      const name = declared.add({ kind: 'custom', name: nameOf(tool, param), namespace });
      return [
        { name, description: [asText(tool.description), grammarOf(tool)].filter(Boolean).join('\n\n'), parameters: CUSTOM_PARAMETERS },
      ];
    }
    case 'namespace': {
      const name = nameOf(tool, param);
      return asList(tool.tools).flatMap((nested, place) => decodeTool(asObject(nested), declared, `${param}.tools[${place}]`, name));
    }
    case 'tool_search':
      if (tool.execution !== 'client') return [];
      return [describe(tool, declared.add({ kind: 'tool_search', name: 'tool_search' }))];
    default:
      return [];
  }
}

function describe(tool: Fields, name: string): ModelTool {
  const { parameters } = tool;
  const hasParameters = typeof parameters === 'object' && parameters !== null;
  return { name, description: asText(tool.description) ?? '', parameters: hasParameters ? (parameters as JsonSchema) : NO_PARAMETERS };
}

function nameOf(tool: Fields, param: string): string {
  if (typeof tool.name === 'string' && tool.name.trim() !== '') return tool.name;
  throw refuse(`${param}.name`, 'a tool needs a name.');
}

/** What the input must look like, in words: only OpenAI can hold a model to a grammar. */
function grammarOf(tool: Fields): string | undefined {
  const { type, syntax, definition } = asObject(tool.format);
  if (type !== 'grammar' || typeof definition !== 'string') return undefined;
  return `The input must follow this grammar (${asText(syntax) ?? 'lark'}):\n${definition}`;
}
