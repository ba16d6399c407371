import { argsDigest, findSchemaFault, isJsonObject, mcpToolName, type JsonObject } from '@codelab/tools';
import type { ToolAnnotations } from '@modelcontextprotocol/client';
import type { McpTool } from '../servers/mcp-server-state.js';
import { cleanLine, cleanText } from './clean-text.js';
import { isShallow } from './json-schema.js';

/** The tools of one server that are offered: what a client may declare in all its `hello` is 256. */
export const MAX_TOOLS = 128;

/** All tools of one server, in characters of JSON: a client may declare 256 KB in all. */
const MAX_TOTAL = 192 * 1024;

/** One schema, in characters of JSON, and its depth. */
const MAX_SCHEMA = 64 * 1024;
const MAX_DEPTH = 40;

const MAX_DESCRIPTION = 2_048;

/** A wire name has at most so many characters. */
const MAX_NAME = 128;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** What became of a list. */
export interface ReadTools {
  readonly tools: readonly McpTool[];
  readonly notes: readonly string[];
}

/**
 * The tools that a server lists, cleaned and bounded; each that can't be used is left out with a note that says why.
 * @param origin what the server is, whatever it says: the same tool of another program is another tool
 */
export function toTools(server: string, items: readonly unknown[], origin = ''): ReadTools {
  const tools: McpTool[] = [];
  const notes: string[] = [];
  const names = new Set<string>();
  let total = 0;
  for (const item of items) {
    const read = toTool(server, item, origin);
    if (typeof read === 'string') {
      notes.push(read);
      continue;
    }
    const { tool } = read;
    if (names.has(tool.tool)) notes.push(`It lists the tool ${shown(tool.tool)} twice; the first one counts.`);
    else {
      const size = JSON.stringify(tool.inputSchema).length + tool.description.length + tool.wireName.length;
      total += size;
      if (total > MAX_TOTAL) {
        notes.push(`Its tools are larger than ${MAX_TOTAL / 1024} KB altogether; the first ${tools.length} are used.`);
        break;
      }
      names.add(tool.tool);
      tools.push(tool);
      if (read.note !== undefined) notes.push(read.note);
    }
  }
  return { tools, notes };
}

interface Candidate {
  readonly tool: McpTool;
  readonly note: string | undefined;
}

/** A tool, or why it is left out. */
function toTool(server: string, item: unknown, origin: string): Candidate | string {
  if (!isJsonObject(item) || typeof item['name'] !== 'string' || item['name'] === '') return 'A tool without a name is left out.';
  const name = item['name'];
  if (UNSEEN.test(name.slice(0, 1_000))) return `The tool ${shown(name)} is left out: its name has characters that nobody sees.`;
  if (name.length > MAX_NAME || mcpToolName(server, name).length > MAX_NAME)
    return `The tool ${shown(name)} is left out: its name is too long.`;
  const inputSchema = item['inputSchema'];
  const fault = faultOf(inputSchema);
  if (fault !== undefined) return `The tool ${shown(name)} is left out: its input schema ${fault}.`;
  const outputSchema = item['outputSchema'];
  const outputFault = outputSchema === undefined ? undefined : faultOf(outputSchema);
  const annotations = toAnnotations(item['annotations']);
  const title = [item['title'], annotations.title].find((each): each is string => typeof each === 'string' && each !== '');
  const described = {
    name,
    description: typeof item['description'] === 'string' ? cleanText(item['description'], MAX_DESCRIPTION) : '',
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema !== undefined && outputFault === undefined && { outputSchema: outputSchema as JsonObject }),
  };
  const digest = digestOf({ ...described, origin });
  if (digest === undefined) return `The tool ${shown(name)} is left out: its schemas have halves of characters in them.`;
  const { name: tool, ...rest } = described;
  const named = { server, tool, wireName: mcpToolName(server, tool), title: title === undefined ? undefined : cleanLine(title, 100) };
  const note = outputFault === undefined ? undefined : `The output schema of the tool ${shown(name)} is ignored: it ${outputFault}.`;
  return { tool: { ...named, ...rest, annotations, digest }, note };
}

const shown = (name: string): string => JSON.stringify(cleanLine(name, 60));

/** What is wrong with a schema, as the rest of a sentence. */
function faultOf(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return 'is not an object';
  if (!isShallow(schema, MAX_DEPTH)) return `is nested deeper than ${MAX_DEPTH}`;
  if (JSON.stringify(schema).length > MAX_SCHEMA) return `is larger than ${MAX_SCHEMA / 1024} KB`;
  if (schema['type'] !== undefined && schema['type'] !== 'object') return 'is not that of an object';
  const fault = findSchemaFault(schema);
  return fault === undefined ? undefined : `is not valid: ${cleanLine(fault, 120)}`;
}

const digestOf = (described: object): string | undefined => {
  try {
    return argsDigest(described);
  } catch {
    return undefined;
  }
};

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function toAnnotations(value: unknown): ToolAnnotations {
  if (!isJsonObject(value)) return {};
  const hints = HINTS.flatMap((name) => (typeof value[name] === 'boolean' ? [[name, value[name]] as const] : []));
  return { ...Object.fromEntries(hints), ...(typeof value['title'] === 'string' && { title: cleanLine(value['title'], 100) }) };
}
