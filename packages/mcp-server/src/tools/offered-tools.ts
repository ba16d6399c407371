import { codelabVocabulary, findWireTool, type CanonicalToolDefinition, type JsonSchema } from '@codelab/tools';
import type { Tool } from '@modelcontextprotocol/server';

/** What a client may show and count on beside the schema; hints, as MCP says, but true ones. */
interface Offer {
  readonly title: string;
  /** Two equal calls in a row leave what one leaves. */
  readonly idempotent: boolean;
  /** Something that was there may be gone after it. */
  readonly destructive: boolean;
  /** It may reach beyond the workspace: a command can do anything. */
  readonly open?: true;
}

const looks = (title: string): Offer => ({ title, idempotent: true, destructive: false });

/**
 * The tools that other programs get, by their canonical names. Not among them: `apply_patch_review`, for which MCP has no form; shells that last
 * and kernels, which belong to a conversation; what only an editor has.
 */
const OFFERS: Readonly<Record<string, Offer>> = {
  read_file: looks('Read file'),
  list_files: looks('List files'),
  search_in_project: looks('Search in files'),
  'index.search': looks('Search the code by meaning'),
  'index.map': looks('Map of the code'),
  'media.read': looks('Read image or PDF'),
  'git.status': looks('Git status'),
  'git.diff': looks('Git diff'),
  'git.log': looks('Git log'),
  'process.output': looks('Output of a process'),
  prompt_user: { title: 'Ask the user', idempotent: false, destructive: false },
  write_file: { title: 'Write file', idempotent: true, destructive: true },
  apply_patch: { title: 'Apply patch', idempotent: false, destructive: true },
  create_directory: { title: 'Create directory', idempotent: true, destructive: false },
  move_file: { title: 'Move file', idempotent: false, destructive: true },
  delete_file: { title: 'Delete file', idempotent: false, destructive: true },
  'git.branch': { title: 'Git branches', idempotent: false, destructive: true },
  'git.commit': { title: 'Git commit', idempotent: false, destructive: false },
  run_command: { title: 'Run command', idempotent: false, destructive: true, open: true },
  run_persistent: { title: 'Run in the background', idempotent: false, destructive: true, open: true },
  kill_process: { title: 'Stop process', idempotent: true, destructive: true },
};

/** A tool as it is offered, and as it is called here. */
export interface OfferedTool {
  readonly definition: CanonicalToolDefinition;
  readonly title: string;
  /** What `tools/list` says of it. */
  readonly listed: Tool;
}

/** The base64 text goes as a block of its own, not twice. */
const withoutData = (schema: JsonSchema): JsonSchema => {
  const { properties, ...rest } = schema as { readonly properties: Readonly<Record<string, unknown>> };
  const { data: _, ...kept } = properties;
  return { ...rest, properties: kept, required: ['media_type'] };
};

const offer = (definition: CanonicalToolDefinition, { title, idempotent, destructive, open }: Offer): OfferedTool => {
  const { name, description, parameters, result, access } = definition;
  const outputSchema = name === 'media.read' ? withoutData(result) : result;
  const readOnlyHint = access === 'readonly';
  return {
    definition,
    title,
    listed: {
      name: codelabVocabulary.toModelName(name), // what providers take, every client of MCP takes
      title,
      description: name === 'media.read' ? 'Reads an image (PNG, JPEG, GIF, WebP) or a PDF file of the workspace.' : description,
      inputSchema: parameters as Tool['inputSchema'], // arguments are objects
      outputSchema: outputSchema, // so are results
      annotations: {
        title,
        readOnlyHint,
        destructiveHint: !readOnlyHint && destructive,
        idempotentHint: idempotent,
        openWorldHint: open === true,
      },
    },
  };
};

/**
 * The tools that a workspace offers over MCP, by the names that they have there.
 *
 * @param available canonical names that the workspace can run
 */
export function offeredTools(available: readonly string[]): ReadonlyMap<string, OfferedTool> {
  const tools = Object.entries(OFFERS).flatMap(([name, about]) => {
    const definition = available.includes(name) ? findWireTool(name) : undefined;
    return definition === undefined ? [] : [offer(definition, about)];
  });
  return new Map(tools.map((tool) => [tool.listed.name, tool]));
}
