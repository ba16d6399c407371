import { sessionRef, type ChildSessions, type Owner, type ServerTools, type SessionMeta } from '@codelab/bus';
import type { KeyEntries } from '../../accounting/key-entries.js';
import type { KeyEntry } from '../../models/models-file.js';
import { matchesName } from './match-name.js';
import type { RuntimeTools } from './runtime-tools.js';
import { type ToolInfo, toolsOfSession, toToolInfo } from './tool-info.js';

/** Where tools come from. */
export interface ToolSources {
  readonly children: Pick<ChildSessions, 'connected'>;
  readonly serverTools: Pick<ServerTools, 'list'>;
  readonly runtimeTools: RuntimeTools;
  /** What the models file says of each key. */
  readonly keys: Pick<KeyEntries, 'of'>;
}

/** What a person can use now. */
export interface Toolbox {
  /** The sessions whose IDE is connected, the oldest first. */
  readonly sessions: readonly SessionMeta[];
  /** What people registered, behind that what the tools file lists, as the runtimes look at them: of two with one name the first counts. */
  readonly serverTools: readonly ToolInfo[];
  /** Tools of the runtimes themselves, which only their agents call. */
  readonly webTools: readonly ToolInfo[];
  /** Whether the person has registered a tool. */
  readonly hasRegistered: boolean;
  /** Whether the key may use a tool of this name. */
  readonly mayUse: (name: string) => boolean;
}

/**
 * Looks what is there: connected sessions, and tools that the servers run, as far as the key may use them.
 * @param sessionId the session whose own tools are meant, too
 */
export async function openToolbox(
  owner: Owner,
  { children, serverTools, runtimeTools, keys }: ToolSources,
  sessionId?: string,
): Promise<Toolbox> {
  const session = sessionId === undefined ? undefined : sessionRef(owner, sessionId);
  const [sessions, registered, published] = await Promise.all([
    children.connected(owner),
    serverTools.list(owner, session),
    runtimeTools.list(owner),
  ]);
  const entry = keys.of(owner);
  const mayUse = (name: string): boolean => mayUseTool(entry, name);
  const isWeb = ({ tags }: ToolInfo): boolean => tags[0] === 'web';
  const tools = [...published.filter((tool) => !isWeb(tool)), ...registered.map(toToolInfo)];
  return {
    sessions,
    serverTools: tools.filter(({ name }, place) => mayUse(name) && tools.findIndex((other) => other.name === name) === place),
    webTools: published.filter((tool) => isWeb(tool) && mayUse(tool.name)),
    hasRegistered: registered.some(({ name }) => mayUse(name)),
    mayUse,
  };
}

/**
 * The tools of sessions and those of the servers, each name once, in the order of the names. Of tools of one name that of the oldest session
 * counts, and one of the servers comes last: an IDE's own is what its human approves.
 */
export function listTools({ sessions, serverTools, webTools, mayUse }: Omit<Toolbox, 'hasRegistered'>): readonly ToolInfo[] {
  const tools = new Map<string, ToolInfo>();
  for (const tool of [...sessions.flatMap(toolsOfSession), ...serverTools, ...webTools]) {
    if (!tools.has(tool.name) && mayUse(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Narrows a list: every tag of `tags` (comma-separated, trimmed, to the letter), and the pattern `name`. */
export function filterTools(
  tools: readonly ToolInfo[],
  { tags, name }: { readonly tags?: string | null; readonly name?: string | null },
): readonly ToolInfo[] {
  const wanted = (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return tools.filter((tool) => wanted.every((tag) => tool.tags.includes(tag)) && (!name || matchesName(name, tool.name)));
}

/** Whether a key may see and use a tool: `block` beats `allow`, and without an `allow` everything is allowed that is not blocked. */
function mayUseTool(entry: KeyEntry | undefined, name: string): boolean {
  const { allow, block } = entry?.tools ?? {};
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesName(pattern, name));
  if (block !== undefined && isIn(block)) return false;
  return allow === undefined || isIn(allow);
}
